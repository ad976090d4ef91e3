import { expect, test } from 'vitest';
import type { StepSettings } from '../../../contract/executions/run-graph.ts';
import { draftOf, newInput, type PersonDraft, personFields, settingsOf } from '../../../src/app/workspace/questions/person-draft.ts';

const settings: StepSettings = {
  firstWins: true,
  onFailure: 'goOn',
  person: {
    question: 'Which **ovens**?',
    inputs: [
      { id: 'size', label: 'Size', type: 'choice', isRequired: true, options: ['small', 'large'] },
      { id: 'note', label: 'Note', type: 'text' },
    ],
    dueMinutes: 61,
    whenDue: { choose: 'Buy' },
    email: 'baker@example.org',
  },
};

test('G2.01 the settings of a person’s card pass through their form unchanged, also a due time that is no whole day', () => {
  expect(settingsOf(draftOf(settings), settings)).toEqual(settings);
  const other = { ...draftOf(settings), days: '2' };
  expect(settingsOf(other, settings)?.person?.dueMinutes).toBe(2_880);
});

test('G1.05 G2.01 a person’s card begins with the first result if its form says so, and keeps its other settings', () => {
  const person = { question: '', inputs: [] };
  expect(settingsOf({ ...draftOf({ person }), firstWins: true }, { person })).toEqual({ firstWins: true, person });
  expect(settingsOf({ ...draftOf(settings), firstWins: false }, settings)).not.toHaveProperty('firstWins');
  expect(settingsOf({ ...draftOf(settings), asks: false }, settings)).toBeUndefined();
});

test('G2.01 a form names what is wrong: names, options, days, and the email', () => {
  const draft = { ...draftOf({}), asks: true };
  const problemsOf = (of: PersonDraft) =>
    Object.fromEntries((personFields.safeParse(of).error?.issues ?? []).map(({ path, message }) => [path.join(' '), message]));
  expect(problemsOf(draft)).toEqual({});
  const choice = (options: string) => ({ ...newInput([]), label: 'Size', type: 'choice' as const, options });
  const inputs = [newInput([]), choice(' \n'), choice(Array.from({ length: 21 }, (_, at) => `o${at}`).join('\n')), choice('x'.repeat(201))];
  expect(problemsOf({ ...draft, inputs, days: '0', email: 'nobody' })).toEqual({
    ...{
      'inputs 0 label': 'name',
      'inputs 1 options': 'options',
      'inputs 2 options': 'tooManyOptions',
      'inputs 3 options': 'longOption',
      days: 'days',
      email: 'email',
    },
  });
  for (const days of ['', '-1', '367', 'soon']) expect(problemsOf({ ...draft, days })).toEqual({ days: 'days' });
  for (const days of ['0.01', '366']) expect(problemsOf({ ...draft, days })).toEqual({});
  expect(problemsOf({ ...draft, asks: false, days: '' })).toEqual({});
});
