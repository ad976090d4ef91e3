import { expect, test } from 'vitest';
import type { PersonInput } from '../../../contract/executions/run-graph.ts';
import { cardAnswer, ownText } from '../../../src/app/workspace/questions/card-answer.ts';

const note: PersonInput = { id: 'note', label: 'Note', type: 'text' };
type Asked = Parameters<typeof cardAnswer>[0];
const approval: Asked = { reason: 'card', inputs: [], buttons: ['Approve', 'Change'], backButtons: ['Change'] };
const said = (text: string, texts = {}) => ({ text, texts, files: {} });

test('G2.01 the button that sends a result back asks for words, and the one that approves needs none', () => {
  expect(cardAnswer(approval, said(' '), 'Change').problems).toEqual({ [ownText]: 'change' });
  expect(cardAnswer(approval, said(''), 'Approve').problems).toEqual({});
  expect(cardAnswer(approval, said('Less salt'), 'Change').problems).toEqual({});
  // A text among the inputs is words too.
  expect(cardAnswer({ ...approval, inputs: [note] }, said('', { note: 'Less salt' }), 'Change').problems).toEqual({});
});

test('G2.01 a card without inputs and buttons needs an answer, and a case that an agent did not choose needs no words', () => {
  expect(cardAnswer({ reason: 'card', inputs: [], buttons: [] }, said(''), undefined).problems).toEqual({ [ownText]: 'required' });
  expect(
    cardAnswer({ reason: 'choice', inputs: [], buttons: ['rejected'], backButtons: ['rejected'] }, said(''), 'rejected').problems,
  ).toEqual({});
});
