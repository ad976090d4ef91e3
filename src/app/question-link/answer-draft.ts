import { answerFileMaxLength, answerTextMaxLength, type LinkedQuestion, type QuestionAnswer } from '../../../contract/question.ts';
import type { PersonInput } from '../../../contract/run-graph.ts';

export type AnswerFile = { name: string; content: string };

/** What a person has entered so far. Numbers are kept as typed. */
export type AnswerDraft = {
  texts: Record<string, string>;
  files: Record<string, AnswerFile>;
  /** The comment, the free answer, or the edited result; null while the result is not edited. */
  text: string | null;
};

export const emptyDraft: AnswerDraft = { texts: {}, files: {}, text: null };

/** A wrong field, by the id of its input; `text` for the text. Each code has a sentence in the locales. */
export type DraftProblems = Record<string, 'required' | 'number' | 'long'>;

type Asked = Pick<LinkedQuestion, 'kind' | 'inputs' | 'buttons' | 'draft'>;

/** The answer that a draft makes with a button, or the fields that are wrong. */
export function answerOf(
  asked: Asked,
  draft: AnswerDraft,
  button?: string | null,
): { ok: true; answer: QuestionAnswer } | { ok: false; problems: DraftProblems } {
  const problems: DraftProblems = {};
  const text = draft.text ?? '';
  if (text.length > answerTextMaxLength) problems.text = 'long';
  if (asked.kind === 'hand_off') {
    if (draft.text !== null && text.trim() === '') problems.text = 'required';
    if (Object.keys(problems).length > 0) return { ok: false, problems };
    const isEdited = draft.text !== null && text !== asked.draft;
    return { ok: true, answer: { action: 'handOn', ...(isEdited && { text }) } };
  }
  const values: NonNullable<QuestionAnswer['values']> = {};
  for (const input of asked.inputs) {
    const value = inputValue(input, draft);
    if (typeof value === 'string' && value.length > answerTextMaxLength) problems[input.id] = 'long';
    else if (typeof value === 'number' && !Number.isFinite(value)) problems[input.id] = 'number';
    else if (value !== null) values[input.id] = value;
    else if (input.isRequired) problems[input.id] = 'required';
  }
  if (asked.inputs.length === 0 && asked.buttons.length === 0 && text.trim() === '') problems.text = 'required';
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
export function draftAsText({ inputs }: Pick<Asked, 'inputs'>, draft: AnswerDraft): string {
  const ids = [...new Set([...inputs.map(({ id }) => id), ...Object.keys(draft.texts)])];
  const lines = ids.flatMap((id) => {
    const value = draft.files[id]?.name ?? draft.texts[id]?.trim();
    return value ? [`${inputs.find((input) => input.id === id)?.label ?? id}: ${value}`] : [];
  });
  return [lines.join('\n'), draft.text?.trim() ?? ''].filter((part) => part !== '').join('\n\n');
}

/** Reads a chosen file. A file that is too large or no text is refused. */
export async function readAnswerFile(file: File): Promise<AnswerFile | 'large' | 'binary'> {
  if (file.size > answerFileMaxLength) return 'large';
  try {
    const content = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    return content.includes('\0') ? 'binary' : { name: file.name, content };
  } catch {
    return 'binary';
  }
}

/** Returns the value of an input; null if it is empty, NaN for a text that is no number. A comma may separate the decimals. */
function inputValue({ id, type }: PersonInput, { texts, files }: AnswerDraft): string | number | AnswerFile | null {
  if (type === 'file') return files[id] ?? null;
  const text = texts[id] ?? '';
  if (text.trim() === '') return null;
  return type === 'number' ? Number(text.replace(/\s/g, '').replace(',', '.')) : text;
}
