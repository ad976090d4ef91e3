import { splitThoughts } from '../../../platform/llm/answer-section.ts';
import { maxAnswerBytes } from '../../../platform/llm/answer-text.ts';
import type { ModelAnswer } from '../../../platform/llm/language-model.ts';
import { sumUsage } from '../store/sum-usage.ts';
import type { StoredTurn } from './stored-turns.ts';

/** The parts of an answer that are stored so far: the turns at the end that call nothing. The model goes on with their text. */
export function partsOfAnswer<Turn extends { calls: readonly unknown[] }>(turns: readonly Turn[]): Turn[] {
  const lastWithCalls = turns.findLastIndex(({ calls }) => calls.length > 0);
  return turns.slice(lastWithCalls + 1);
}

/** Whether a cut or paused answer can be continued: it has added something, and with its parts it is below the longest answer. */
export function canContinue(parts: readonly Pick<StoredTurn, 'text'>[], answer: Pick<ModelAnswer, 'text' | 'finish' | 'written'>): boolean {
  const text = writtenText(answer);
  if (answer.finish === 'stop' || text.trim() === '') return false;
  return [...parts, { text }].reduce((bytes, part) => bytes + Buffer.byteLength(part.text), 0) < maxAnswerBytes;
}

/** Returns the text of an answer as the model wrote it, with its thoughts. */
export function writtenText({ text, written }: Pick<ModelAnswer, 'text' | 'written'>): string {
  return written?.text ?? text;
}

/**
 * Joins an answer with its earlier parts, character by character, and splits off its thoughts once. `turns`: all turns of the step, whose tokens count.
 * `reasoning`: what the model reported of its thoughts in the parts. Without `last` the parts are all there is.
 */
export function joinAnswer(
  turns: readonly Pick<StoredTurn, 'text' | 'usage' | 'calls'>[],
  last: ModelAnswer | null,
  reasoning: readonly string[] = [],
): ModelAnswer {
  const parts = partsOfAnswer(turns).map(({ text }) => text);
  const paid = last ? [...turns, last] : turns;
  const usage = paid.some((one) => one.usage !== null) ? sumUsage(paid) : null;
  const finish = last?.finish ?? 'length';
  if (last && parts.length === 0 && finish === 'stop') return turns.length === 0 ? last : { ...last, usage };
  const text = [...parts, ...(last ? [writtenText(last)] : [])].join('');
  const { thoughts, answer } = splitThoughts(text);
  // A person may have it continued later: the end of a cut text stays as it is.
  const whole = finish === 'stop' ? answer : answer.trimEnd() + text.slice(text.trimEnd().length);
  const reported = [...reasoning, last?.written?.thoughts ?? ''].filter((text) => text !== '').join('\n\n');
  return { text: whole, thoughts: reported || thoughts, finish, usage };
}
