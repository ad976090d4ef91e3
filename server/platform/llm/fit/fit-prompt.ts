import type { ModelRequest, ModelTurn } from '../language-model.ts';
import { minResultLength } from '../prompt-length.ts';
import { countPrompt } from './count-prompt.ts';
import { callsBefore, type LeavingOut, type LeftOut, savedBy, withoutLeftOut } from './left-out.ts';

/** Tokens of a model: those of its window, and the part of it that an answer gets whose length is not set. */
export type Window = {
  /** The most tokens of a prompt with its answer. */
  tokens: number;
  /** What the model's server counts for a token of the estimate. */
  scale: number;
  /** The same at the least: a prompt that fits by this may fit. */
  leastScale: number;
  /** Its server has told no window: this one is smaller than a prompt that was refused, by the estimate. */
  isGuessed?: true;
};

/**
 * How a prompt fits: without `left`, or once the model has summarised the turns of `left`. `over`: in no way. `needed`: the tokens that it needs
 * without a summary, or at the least.
 */
export type Fit =
  | { kind: 'fits'; request: ModelRequest; left: LeftOut }
  | { kind: 'summarise'; left: LeftOut; needed: number }
  | { kind: 'over'; needed: number };

/** Room for an answer whose length is not set (tokens), at most a quarter of the window. */
const usualAnswer = 4_096;
/** The longest summary (tokens), at most an eighth of the window. */
const longestSummary = 1_200;
/** Results are left out down to this part of the room: the next turns then begin with the same text, and caches of prompts go on. */
const target = 0.8;

/**
 * Fits a request to the window of its model. What was left out before stays left out. When that is not enough, parts go in this order: results of
 * tools before the last turn, oldest first; texts of the user's files; turns before the last one, for a summary; results of the last turn; ends of
 * the longest results of earlier agents. The same input gives the same output. It fits by the estimate, or with nothing more to leave out it may fit.
 */
export function fitPrompt(whole: ModelRequest, before: LeftOut, how: LeavingOut, window: Window): Fit {
  const room = roomOf(whole, window);
  const count = (left: LeftOut, summary = how.summary) => countPrompt(withoutLeftOut(whole, left, { ...how, summary }));
  const fits = (left: LeftOut) => count(left) <= room;
  const end = (left: LeftOut): Fit => ({ kind: 'fits', request: withAnswerWithin(withoutLeftOut(whole, left, how), window), left });
  if (fits(before)) return end(before);

  const turns = whole.turns ?? [];
  const lastTurn = beginOfLastTurn(turns);
  const all: LeftOut = { calls: callsBefore(turns, turns.length), texts: true, turns: before.turns, earlier: minResultLength };
  const withSummary = (until: number) => count({ ...all, turns: until }, '') + summaryTokens(window.tokens);
  const leastAlone = count(all);
  // The last turn is summarised as well where nothing else helps.
  const possible = leastAlone > room ? [lastTurn, turns.length] : [lastTurn];
  const ends = possible.filter((until) => until > before.turns && !isContinued(turns, until));
  const summaryTurns = ends.find((until) => withSummary(until) <= Math.min(room, leastAlone));
  const needed = (tokens: number) => Math.ceil(tokens * window.scale) + answerOf(whole, window.tokens);
  if (leastAlone > room && summaryTurns === undefined) {
    // The estimate is from above: the server decides about what may fit.
    if (leastAlone <= roomOf(whole, { ...window, scale: window.leastScale })) return end(all);
    return { kind: 'over', needed: needed(Math.min(leastAlone, ...ends.map(withSummary))) };
  }

  let left = withoutOldest(whole, before, callsBefore(turns, lastTurn), { over: count(before) - room * target, count });
  if (fits(left)) return end(left);
  left = { ...left, texts: true };
  if (fits(left)) return end(left);
  if (summaryTurns !== undefined) {
    const calls = Math.max(left.calls, callsBefore(turns, summaryTurns));
    return { kind: 'summarise', left: { ...left, turns: summaryTurns, calls }, needed: needed(count(left)) };
  }
  left = withoutOldest(whole, left, all.calls, { over: count(left) - room, count });
  if (fits(left)) return end(left);
  return end({ ...left, earlier: lengthOfEarlier(whole, left.earlier, (earlier) => fits({ ...left, earlier })) });
}

/** Returns the tokens of the estimate that a prompt may have. */
export function roomOf(request: Pick<ModelRequest, 'maxTokens'>, { tokens, scale }: Window): number {
  return Math.floor((tokens - answerOf(request, tokens)) / scale);
}

/** The most tokens of a summary. */
export function summaryTokens(window: number): number {
  return Math.min(longestSummary, Math.floor(window / 8));
}

function answerOf({ maxTokens }: Pick<ModelRequest, 'maxTokens'>, window: number): number {
  return maxTokens === null ? Math.min(usualAnswer, Math.floor(window / 4)) : Math.min(maxTokens, Math.floor(window / 2));
}

/** The tokens of the answer in a window that has this room for the prompt: the other way round of `roomOf`. */
export function answerBeside({ maxTokens }: Pick<ModelRequest, 'maxTokens'>, room: number): number {
  return maxTokens === null ? Math.min(usualAnswer, Math.floor(room / 3)) : Math.min(maxTokens, room);
}

/** An answer of more than half of the window gets what the prompt leaves of it: a longer one than the model writes is no error. */
function withAnswerWithin(request: ModelRequest, { tokens, scale }: Window): ModelRequest {
  const { maxTokens } = request;
  if (maxTokens === null || maxTokens <= tokens / 2) return request;
  return {
    ...request,
    maxTokens: Math.max(answerOf(request, tokens), Math.min(maxTokens, tokens - Math.ceil(countPrompt(request) * scale))),
  };
}

/** Returns where the last turn with calls begins, with the turns after it: the model goes on with them. */
function beginOfLastTurn(turns: readonly ModelTurn[]): number {
  return Math.max(
    0,
    turns.findLastIndex(({ calls }) => calls.length > 0),
  );
}

/** Whether the turn before this place was cut off: the model goes on with its text. */
function isContinued(turns: readonly ModelTurn[], until: number): boolean {
  return turns[until - 1]?.calls.length === 0;
}

/** Leaves out the oldest results of the first `end` calls until they save `over` tokens. */
function withoutOldest(
  { turns = [], language }: ModelRequest,
  left: LeftOut,
  end: number,
  { over, count }: { over: number; count: (left: LeftOut) => number },
): LeftOut {
  if (end <= left.calls) return left;
  const calls = turns.flatMap((turn) => turn.calls);
  // The tool that reads results again comes with the first one that is left out.
  let missing = over + (left.calls === 0 ? count({ ...left, calls: 1 }) - count(left) + savedBy(calls[0] as Call, 0, language) : 0);
  let upTo = left.calls;
  while (upTo < end && missing > 0) {
    // Those of summarised turns are left out already.
    if (upTo >= callsBefore(turns, left.turns)) missing -= savedBy(calls[upTo] as Call, upTo, language);
    upTo += 1;
  }
  return { ...left, calls: upTo };
}

type Call = ModelTurn['calls'][number];

/** How often the length of results is halved: to one part in a thousand. */
const halvings = 10;

/** Returns the length of the longest results of earlier agents that fits; the shortest one does. */
function lengthOfEarlier({ earlier }: ModelRequest, before: number | null, fits: (length: number) => boolean): number {
  let fitting = minResultLength;
  let tooLong = before ?? Math.max(...earlier.flatMap(({ text, tests = [] }) => [text.length, ...tests.map(({ log }) => log.length)]));
  for (let step = 0; step < halvings && tooLong - fitting > 1; step += 1) {
    const middle = Math.floor((fitting + tooLong) / 2);
    if (fits(middle)) fitting = middle;
    else tooLong = middle;
  }
  return fitting;
}
