import type { AnswerAction, GivenAnswer, QuestionAnswer } from '../../../../contract/executions/question.ts';
import type { PersonInput } from '../../../../contract/executions/run-graph.ts';
import { ApiError } from '../../../http/api-error.ts';
import type { Language } from '../../../http/call.ts';
import { type ServerText, translate } from '../../../http/language.ts';
import { blockOfFile, type FileBlock } from '../../files/index.ts';
import type { QuestionRow } from '../store/question-rows.ts';
import { argumentsOf } from '../store/tool-call-rows.ts';

/** An answer that fits its question: as it is shown, as the text of a step, and its files. */
export type CheckedAnswer = {
  action: AnswerAction;
  label: string | null;
  text: string;
  given: GivenAnswer;
  result: string;
  files: FileBlock[];
  /** Versions of files that the answer may replace. */
  overwrites: readonly string[];
};

type Wrong = (path: string, text: ServerText, params?: Record<string, string | number>) => void;

/**
 * Checks an answer against what its question asks for. `withoutAccount`: of the holder of a signed link, who can neither stop the run nor
 * skip a step. Throws `bad_request` with the fields that do not fit.
 */
export function checkAnswer(
  question: Pick<QuestionRow, 'asked' | 'reason'>,
  { action, label, values = {}, text = '', args, limit, overwrites = [] }: QuestionAnswer,
  language: Language,
  withoutAccount = false,
): CheckedAnswer {
  const { asked, reason } = question;
  const errors: { path: string; message: string }[] = [];
  const wrong: Wrong = (path, sentence, params) => errors.push({ path, message: translate(language, sentence, params) });
  const allowed = asked.actions.filter((one) => !withoutAccount || one === 'answer' || one === 'handOn');
  if (!allowed.includes(action)) wrong('action', 'invalid.choice', { values: allowed.join(', ') });
  const isAnswer = action === 'answer';
  if (isAnswer && asked.buttons.length > 0 && (label === undefined || !asked.buttons.includes(label)))
    wrong('label', 'invalid.choice', { values: asked.buttons.map((button) => button ?? 'null').join(', ') });
  if ((!isAnswer || asked.buttons.length === 0) && typeof label === 'string') wrong('label', 'invalid.unwanted');
  const inputs = isAnswer && reason === 'card' ? asked.inputs : [];
  for (const id of Object.keys(values)) if (!inputs.some((input) => input.id === id)) wrong(`values.${id}`, 'invalid.unwanted');
  const lines: string[] = [];
  const files = new Map<string, { file: FileBlock; label: string }>();
  const shown: NonNullable<GivenAnswer['values']> = {};
  for (const input of inputs) {
    const value = readValue(input, Object.hasOwn(values, input.id) ? values[input.id] : undefined, wrong);
    if (value === null) continue;
    if (typeof value === 'object') {
      const other = files.get(value.path);
      if (other) wrong(`values.${input.id}`, 'file.path_twice', { path: value.path, other: other.label });
      files.set(value.path, { file: value, label: input.label });
      shown[input.id] = { name: value.path };
      lines.push(`- ${input.label}: \`${value.path}\``);
    } else {
      shown[input.id] = value;
      lines.push(String(value).includes('\n') ? `- ${input.label}:\n\n${value}` : `- ${input.label}: ${value}`);
    }
  }
  if (args !== undefined && action !== 'approve' && action !== 'approveInRun') wrong('args', 'invalid.unwanted');
  if (args !== undefined && argumentsOf({ args }) === undefined) wrong('args', 'invalid.object');
  if (action === 'newLimit' && limit === undefined) wrong('limit', 'invalid.required');
  if (action !== 'newLimit' && limit !== undefined) wrong('limit', 'invalid.unwanted');
  if (action === 'enterResult' && text.trim() === '') wrong('text', 'invalid.required');
  if (errors.length > 0) throw new ApiError('bad_request', { errors });
  const chosen = isAnswer && asked.buttons.length > 0 ? (label ?? null) : null;
  const given: GivenAnswer = {
    action,
    ...(isAnswer && asked.buttons.length > 0 && { label: chosen }),
    ...(Object.keys(shown).length > 0 && { values: shown }),
    ...(text !== '' && { text }),
    ...(args !== undefined && args !== asked.call?.args && { args }),
    ...(limit !== undefined && { limit }),
  };
  const result = [...(chosen === null ? [] : [`**${chosen}**`]), ...(lines.length > 0 ? [lines.join('\n')] : []), ...(text ? [text] : [])];
  return {
    action,
    label: chosen,
    text,
    given,
    result: result.join('\n\n'),
    files: [...files.values()].map(({ file }) => file),
    overwrites,
  };
}

function readValue(input: PersonInput, value: unknown, wrong: Wrong): string | number | FileBlock | null {
  const path = `values.${input.id}`;
  if (value === undefined || value === '') {
    if (input.isRequired) wrong(path, 'invalid.required');
    return null;
  }
  switch (input.type) {
    case 'text':
      if (typeof value === 'string') return value;
      wrong(path, 'invalid.string');
      return null;
    case 'number':
      if (typeof value === 'number') return value;
      wrong(path, 'invalid.number');
      return null;
    case 'choice':
      if (typeof value === 'string' && input.options?.includes(value)) return value;
      wrong(path, 'invalid.choice', { values: (input.options ?? []).join(', ') });
      return null;
    case 'file':
      return readFile(value, path, wrong);
  }
}

function readFile(value: unknown, path: string, wrong: Wrong): FileBlock | null {
  if (typeof value !== 'object' || value === null || !('name' in value) || !('content' in value)) {
    wrong(path, 'invalid.object');
    return null;
  }
  const file = blockOfFile(String(value.name), String(value.content));
  if (typeof file !== 'string') return file;
  wrong(path, `file.${file}`);
  return null;
}
