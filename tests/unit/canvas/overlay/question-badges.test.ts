import { expect, test } from 'vitest';
import { letterStates } from '../../../../contract/executions/question.ts';
import en from '../../../../locales/en/questions.json' with { type: 'json' };
import ru from '../../../../locales/ru/questions.json' with { type: 'json' };

test("D5.12 each language has one text for each state of a card's letter", () => {
  for (const { letterOnCard } of [en, ru]) expect(Object.keys(letterOnCard).toSorted()).toEqual(letterStates.toSorted());
});
