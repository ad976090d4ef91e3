import { answerTextMaxLength, type QuestionAnswer } from '../../../contract/executions/question.ts';
import type { PersonInput } from '../../../contract/executions/run-graph.ts';

export type AnswerFile = { name: string; content: string };

/** What a person has entered in the inputs of a card so far. Numbers are kept as typed. */
export type InputDraft = { texts: Record<string, string>; files: Record<string, AnswerFile> };

/** A wrong field, by the id of its input. Each code has a sentence in the locales. `change`: work is sent back without a word. */
export type InputProblems = Record<string, 'required' | 'number' | 'long' | 'change'>;

/** Returns the values of the inputs, without the empty ones, and the inputs that are wrong. */
export function inputValues(
  inputs: readonly PersonInput[],
  draft: InputDraft,
): { values: NonNullable<QuestionAnswer['values']>; problems: InputProblems } {
  const values: NonNullable<QuestionAnswer['values']> = {};
  const problems: InputProblems = {};
  for (const input of inputs) {
    const value = inputValue(input, draft);
    if (typeof value === 'string' && value.length > answerTextMaxLength) problems[input.id] = 'long';
    else if (typeof value === 'number' && !Number.isFinite(value)) problems[input.id] = 'number';
    else if (value !== null) values[input.id] = value;
    else if (input.isRequired) problems[input.id] = 'required';
  }
  return { values, problems };
}

/** Returns the value of an input; null if it is empty, NaN for a text that is no number. A comma may separate the decimals. */
function inputValue({ id, type }: PersonInput, { texts, files }: InputDraft): string | number | AnswerFile | null {
  if (type === 'file') return files[id] ?? null;
  const text = texts[id] ?? '';
  if (text.trim() === '') return null;
  return type === 'number' ? Number(text.replace(/\s/g, '').replace(',', '.')) : text;
}
