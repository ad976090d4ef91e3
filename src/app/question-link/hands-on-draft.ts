import type { QuestionKind } from '../../../contract/executions/question.ts';

/** Whether the answer of a kind of question hands on the draft, which may be edited. Otherwise it is what the card asks for. */
export const handsOnDraft: Record<QuestionKind, boolean> = {
  hand_off: true,
  person: false,
  tool: false,
  unknown_outcome: false,
  budget: false,
  room: false,
  install: false,
};
