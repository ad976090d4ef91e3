import { expect, test } from 'vitest';
import { letterStates } from '../../../../contract/executions/question.ts';
import en from '../../../../locales/en/questions.json' with { type: 'json' };
import ru from '../../../../locales/ru/questions.json' with { type: 'json' };

test('D5.12 a card says of each state of its letter what became of it, and nothing else', () => {
  for (const { letterOnCard } of [en, ru]) expect(Object.keys(letterOnCard).toSorted()).toEqual(letterStates.toSorted());
});
