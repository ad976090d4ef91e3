import { answerTextMaxLength, type GivenAnswer, type LinkedQuestion, type QuestionAnswer } from '../../../contract/executions/question.ts';
import { type InputDraft, type InputProblems, inputValues } from '../answers/input-values.ts';
import { handsOnDraft } from './hands-on-draft.ts';

/** What a person has entered so far. */
export type AnswerDraft = InputDraft & {
  /** The comment, the free answer, or the edited result; null while the result is not edited. */
  text: string | null;
};

export const emptyDraft: AnswerDraft = { texts: {}, files: {}, text: null };

type AnsweredQuestion = Pick<LinkedQuestion, 'kind' | 'inputs' | 'buttons' | 'backButtons' | 'draft'>;

/** The answer that a draft makes with a button, or the fields that are wrong: `text` for the text. */
export function answerOf(
  asked: AnsweredQuestion,
  draft: AnswerDraft,
  button?: string | null,
): { ok: true; answer: QuestionAnswer } | { ok: false; problems: InputProblems } {
  const { values, problems } = inputValues(asked.inputs, draft);
  const text = draft.text ?? '';
  if (text.length > answerTextMaxLength) problems.text = 'long';
  if (handsOnDraft[asked.kind]) {
    if (draft.text !== null && text.trim() === '') problems.text = 'required';
    if (Object.keys(problems).length > 0) return { ok: false, problems };
    const isEdited = draft.text !== null && text !== asked.draft;
    return { ok: true, answer: { action: 'handOn', ...(isEdited && { text }) } };
  }
  const isSilent = text.trim() === '' && !asked.inputs.some(({ id, type }) => type === 'text' && Object.hasOwn(values, id));
  if (asked.inputs.length === 0 && asked.buttons.length === 0 && isSilent) problems.text = 'required';
  if (button !== undefined && asked.backButtons?.includes(button) && isSilent) problems.text = 'change';
  if (Object.keys(problems).length > 0) return { ok: false, problems };
  return {
    ok: true,
    answer: {
      action: 'answer',
      ...(button !== undefined && { label: button }),
      ...(Object.keys(values).length > 0 && { values }),
      ...(text.trim() !== '' && { text }),
    },
  };
}

/** What a draft has in words, for copying: its texts, and the names of its files. Empty without any. */
export function draftAsText({ inputs }: Pick<AnsweredQuestion, 'inputs'>, draft: AnswerDraft): string {
  const ids = [...new Set([...inputs.map(({ id }) => id), ...Object.keys(draft.texts)])];
  const values = ids.flatMap((id) => {
    const value = draft.files[id]?.name ?? draft.texts[id]?.trim();
    return value ? [{ label: labelOf(inputs, id), value }] : [];
  });
  return [values.map(({ label, value }) => `${label}: ${value}`).join('\n'), draft.text?.trim() ?? '']
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Returns the values of an answer with the labels of their inputs; files by their names. */
export function valuesOfAnswer(
  { inputs }: Pick<AnsweredQuestion, 'inputs'>,
  { values = {} }: GivenAnswer,
): { label: string; value: string }[] {
  return Object.entries(values).map(([id, value]) => ({
    label: labelOf(inputs, id),
    value: typeof value === 'object' ? value.name : String(value),
  }));
}

function labelOf(inputs: AnsweredQuestion['inputs'], id: string): string {
  return inputs.find((input) => input.id === id)?.label ?? id;
}
