import { readStored, writeStored } from '../../../ui/stored-preference.ts';
import type { InputDraft } from '../../answers/input-values.ts';

/** A half-written answer. */
export type QuestionDraft = InputDraft & {
  /** The comment, or the edited draft of the agent. */
  text: string;
  /** What the agent should change when it is asked again. */
  note: string;
  /** The agent's draft is being edited. */
  isEditing: boolean;
  /** Edited arguments of a call; null while they are as the agent wrote them. */
  args: string | null;
};

const empty: QuestionDraft = { text: '', note: '', isEditing: false, texts: {}, files: {}, args: null };
const keyOf = (id: string) => `question:${id}`;

/** Reads the half-written answer of a question, which this browser keeps over reloads. */
export function readQuestionDraft(id: string): QuestionDraft {
  try {
    const { text, note, isEditing, texts, files, args } = JSON.parse(readStored(keyOf(id)) ?? '{}') as Partial<QuestionDraft>;
    return {
      text: typeof text === 'string' ? text : '',
      note: typeof note === 'string' ? note : '',
      isEditing: isEditing === true,
      texts: isRecord(texts) ? texts : {},
      files: isRecord(files) ? files : {},
      args: typeof args === 'string' ? args : null,
    };
  } catch {
    return empty;
  }
}

/** Stores it; an empty one is removed. */
export function writeQuestionDraft(id: string, draft: QuestionDraft): void {
  const hasInputs = Object.keys(draft.texts).length + Object.keys(draft.files).length > 0;
  const isEmpty = draft.text === '' && !draft.isEditing && draft.args === null && !hasInputs;
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

function isRecord<T extends object>(value: T | undefined): value is T {
  return typeof value === 'object' && value !== null;
}
