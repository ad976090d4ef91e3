import type { QuestionKind } from '../../../../contract/executions/question.ts';
import type { HookEvent } from '../../../../contract/hook.ts';

/** What a kind of question is. `questions/answer-kinds.ts` says what follows from an answer, `telegram/written-answers.ts` how a message gives one. */
type KindOfQuestion = {
  /**
   * Whether others than the account may answer: a program with a key, and the holder of a signed link. Calls of tools and money are decided by the account
   * alone: a model must not approve its own call.
   */
  isForOthers: boolean;
  /** What receivers are told of it. */
  event: HookEvent;
  /** Whether the text of the agent is shown with it. */
  showsDraft: boolean;
};

export const questionKinds: Record<QuestionKind, KindOfQuestion> = {
  hand_off: { isForOthers: true, event: 'question.opened', showsDraft: true },
  person: { isForOthers: true, event: 'question.opened', showsDraft: false },
  tool: { isForOthers: false, event: 'question.opened', showsDraft: false },
  unknown_outcome: { isForOthers: false, event: 'question.opened', showsDraft: false },
  budget: { isForOthers: false, event: 'budget.reached', showsDraft: false },
  room: { isForOthers: false, event: 'question.opened', showsDraft: true },
  install: { isForOthers: false, event: 'question.opened', showsDraft: false },
};

export const kindsForOthers = (Object.keys(questionKinds) as QuestionKind[]).filter((kind) => questionKinds[kind].isForOthers);
