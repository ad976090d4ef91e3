import type { QuestionAnswer } from '../../../../contract/question.ts';
import { readStored, writeStored } from '../../../ui/stored-preference.ts';

/** A half-written answer. */
export type QuestionDraft = {
  /** The comment, the edited draft of the agent, or the note for it. */
  text: string;
  /** The agent's draft is being edited. */
  isEditing: boolean;
  values: NonNullable<QuestionAnswer['values']>;
  /** Edited arguments of a call; null while they are as the agent wrote them. */
  args: string | null;
};

const empty: QuestionDraft = { text: '', isEditing: false, values: {}, args: null };
const keyOf = (id: string) => `question:${id}`;

/** Reads the half-written answer of a question, which this browser keeps over reloads. */
export function readQuestionDraft(id: string): QuestionDraft {
  try {
    const { text, isEditing, values, args } = JSON.parse(readStored(keyOf(id)) ?? '{}') as Partial<QuestionDraft>;
    return {
      text: typeof text === 'string' ? text : '',
      isEditing: isEditing === true,
      values: typeof values === 'object' && values !== null ? values : {},
      args: typeof args === 'string' ? args : null,
    };
  } catch {
    return empty;
  }
}

/** Stores it; an empty one is removed. */
export function writeQuestionDraft(id: string, draft: QuestionDraft): void {
  const isEmpty = draft.text === '' && !draft.isEditing && draft.args === null && Object.keys(draft.values).length === 0;
  if (isEmpty) forgetQuestionDraft(id);
  else writeStored(keyOf(id), JSON.stringify(draft));
}

export function forgetQuestionDraft(id: string): void {
  try {
    localStorage.removeItem(keyOf(id));
  } catch {
    return;
  }
}
