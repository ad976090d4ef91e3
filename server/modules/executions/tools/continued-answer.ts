import { repeatsItself } from '../../../../rules/text/repeats-itself.ts';
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

/** The most times that a cut answer is continued. Each time its whole prompt is paid again. */
const maxContinuations = 7;
/** The most times that a paused answer goes on: its server works with tools of its own. */
const maxPauses = 20;
/** A window is full where this part of it was used: servers keep some tokens for themselves. */
const fullFrom = 0.98;

/**
 * Whether a cut or paused answer can be continued: it has added something that it has not said before, with its parts it is below the longest answer, it was
 * continued a few times at most, and the window has room. `window`: that of the model (tokens), null where it is not known.
 */
export function canContinue(
  parts: readonly Pick<StoredTurn, 'text'>[],
  answer: Pick<ModelAnswer, 'text' | 'finish' | 'written' | 'usage'>,
  window: number | null = null,
): boolean {
  const text = writtenText(answer);
  if (answer.finish === 'stop' || text.trim() === '') return false;
  const texts = [...parts.map((part) => part.text), text];
  if (texts.reduce((bytes, part) => bytes + Buffer.byteLength(part), 0) >= maxAnswerBytes) return false;
  if (answer.finish === 'pause') return parts.length < maxPauses;
  const isFull = window !== null && answer.usage !== null && answer.usage.totalTokens >= window * fullFrom;
  return parts.length < maxContinuations && !isFull && !repeatsItself(texts);
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
