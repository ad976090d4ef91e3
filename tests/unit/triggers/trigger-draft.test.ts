import { expect, test } from 'vitest';
import type { InputField } from '../../../contract/released-team.ts';
import type { TriggerKind } from '../../../contract/trigger.ts';
import { newDraft, triggerFields } from '../../../src/app/triggers/trigger-draft.ts';

const field = (name: string, isOptional = false): InputField => ({ kind: 'text', name, title: '', isOptional });
const team = { id: '019a2f10-0000-7000-8000-000000000014', input: [field('title'), field('note', true)] } as never;
const draftOfKind = (kind: TriggerKind) =>
  newDraft(kind, { name: 'Each morning', teamId: '019a2f10-0000-7000-8000-000000000014', zone: 'UTC' });
const wrongIn = (draft: ReturnType<typeof newDraft>) => {
  const { error } = triggerFields([team]).safeParse(draft);
  return [...new Set(error?.issues.map(({ path }) => path.join('.')))];
};

test('L4.02 what is wrong with a trigger stands at the field in which it is typed', () => {
  const schedule = { ...draftOfKind('schedule'), input: { title: 'News' } };
  expect(wrongIn(schedule)).toEqual([]);
  expect(wrongIn({ ...schedule, name: ' ', zone: '', graceMinutes: 'many', input: {} })).toEqual([
    'name',
    'zone',
    'graceMinutes',
    'input.title',
  ]);
  const webhook = { ...draftOfKind('webhook'), fields: { title: 'order.title' } };
  expect(wrongIn({ ...webhook, filter: [{ path: '', is: 'equal', value: '' }] })).toEqual(['filter.0.path']);
  expect(wrongIn({ ...webhook, fields: { title: '' } })).toEqual(['fields.title']);
});

test('L4.02 a typed trigger is sent with the values of its team and the minutes as seconds', () => {
  expect(
    triggerFields([team]).parse({ ...draftOfKind('schedule'), input: { title: 'News', note: '', gone: 'x' }, graceMinutes: '5' }),
  ).toEqual({
    name: 'Each morning',
    teamId: '019a2f10-0000-7000-8000-000000000014',
    settings: { kind: 'schedule', cron: '0 9 * * 1-5', zone: 'UTC', input: { title: 'News' } },
    overlap: 'skip',
    missed: 'once',
    graceSeconds: 300,
  });
});
