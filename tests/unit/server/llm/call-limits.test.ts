import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FairQueue } from '../../../../server/platform/fair-queue.ts';
import { createCallLimits } from '../../../../server/platform/llm/call-limits.ts';
import type { Conversation, Hold, ModelAdapter, ModelOutcome } from '../../../../server/platform/llm/language-model.ts';
import { startPausableTimer } from '../../../../server/platform/llm/pausable-timer.ts';
import { maxPromptLength } from '../../../../server/platform/llm/prompt-length.ts';
import { toLanguageModel } from '../../../../server/platform/llm/to-language-model.ts';
import { asOwner } from '../../../../server/platform/owner-id.ts';

const answer: ModelOutcome = { ok: true, value: { text: 'Done', thoughts: null, finish: 'stop', usage: null } };
const conversation = (idempotencyKey: string): Conversation => ({
  ...{ messages: [], temperature: 0, maxTokens: 1, idempotencyKey },
  speaker: { role: 'developer', agentTitle: 'Developer', language: 'en' },
});

/** A model whose calls end when they are released, in the order of their start. */
function heldModel() {
  const started: string[] = [];
  const waiting: ((outcome: ModelOutcome) => void)[] = [];
  const adapter: ModelAdapter = {
    ...{ provider: 'openai', model: 'm', simulated: false, callsTools: false, sees: false, host: null },
    converse: ({ idempotencyKey }) => {
      started.push(idempotencyKey);
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
  return { adapter, started, release: () => waiting.shift()?.(answer) };
}

const never = new AbortController().signal;
/** Lets everything that can go on do so. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('G1.01 calls of one key wait for each other in their order, and those of another key do not wait', async () => {
  const { adapter, started, release } = heldModel();
  const limited = createCallLimits(2);
  const waits: string[] = [];
  const call = (name: string, key: string) =>
    limited(toLanguageModel(adapter), { userId: asOwner('ann'), key }).converse(
      conversation(name),
      never,
      () => {},
      (isWaiting) => waits.push(`${name} ${isWaiting}`),
    );
  const calls = [call('a1', 'a'), call('a2', 'a'), call('a3', 'a'), call('a4', 'a'), call('b1', 'b')];
  await settle();
  expect(started).toEqual(['a1', 'a2', 'b1']);
  expect(waits).toEqual(['a3 true', 'a4 true']);
  for (const next of ['a3', 'a4']) {
    release();
    await settle();
    expect([started.at(-1), waits.at(-1)]).toEqual([next, `${next} false`]);
  }
  for (let left = 0; left < 3; left += 1) release();
  expect(await Promise.all(calls)).toEqual(calls.map(() => answer));
});

test('G1.01 a call that is aborted while it waits never reaches the model, and its place goes to the next', async () => {
  const { adapter, started, release } = heldModel();
  const limited = createCallLimits(1)(toLanguageModel(adapter), { userId: asOwner('ann'), key: 'key' });
  const aborted = new AbortController();
  const first = limited.converse(conversation('first'), never, () => {});
  const second = limited.converse(conversation('second'), aborted.signal, () => {});
  const third = limited.converse(conversation('third'), never, () => {});
  aborted.abort('stopped');
  expect(await second).toEqual({ ok: false, error: { code: 'aborted', transient: false } });
  release();
  await first;
  await settle();
  expect(started).toEqual(['first', 'third']);
  release();
  expect(await third).toEqual(answer);
});

test('G1.01 a failing call frees its place', async () => {
  const limited = createCallLimits(1)(
    toLanguageModel({ ...heldModel().adapter, converse: async () => Promise.reject(new Error('broken')) }),
    { userId: asOwner('ann'), key: 'key' },
  );
  for (const name of ['one', 'two']) await expect(limited.converse(conversation(name), never, () => {})).rejects.toThrow('broken');
});

const mebibyte = 1024 * 1024;
const saying = (idempotencyKey: string, length: number): Conversation => ({
  ...conversation(idempotencyKey),
  messages: [{ role: 'user', content: 'x'.repeat(length) }],
});

test('R23.01 calls of long prompts wait for the memory of their account, and those of another account do not', async () => {
  const { adapter, started, release } = heldModel();
  const limited = createCallLimits(9, new FairQueue({ ofAccount: 12 * mebibyte, inTotal: 24 * mebibyte, ofEachAccount: mebibyte }));
  const waits: string[] = [];
  const call = (name: string, userId: string, length: number) =>
    limited(toLanguageModel(adapter), { userId: asOwner(userId), key: name }).converse(
      saying(name, length),
      never,
      () => {},
      (isWaiting) => waits.push(`${name} ${isWaiting}`),
    );
  const calls = [call('a1', 'ann', mebibyte), call('a2', 'ann', mebibyte), call('a3', 'ann', 1), call('b1', 'ben', mebibyte)];
  await settle();
  expect(started).toEqual(['a1', 'b1']);
  expect(waits).toEqual(['a2 true', 'a3 true']);
  release();
  await settle();
  expect(started).toEqual(['a1', 'b1', 'a2', 'a3']);
  expect(waits.slice(2)).toEqual(['a2 false', 'a3 false']);
  for (let left = 0; left < 3; left += 1) release();
  expect(await Promise.all(calls)).toEqual(calls.map(() => answer));
});

test('R23.01 a prompt that is longer than any model reads never reaches the model', async () => {
  const { adapter, started } = heldModel();
  const limited = createCallLimits(1)(toLanguageModel(adapter), { userId: asOwner('ann'), key: null });
  expect(await limited.converse(saying('long', maxPromptLength), never, () => {})).toEqual({
    ok: false,
    error: { code: 'prompt_too_long', transient: false },
  });
  expect(started).toEqual([]);
});

test('R23.01 answers take memory as they grow, and an account whose answers hold too much loses the call that asks for more', async () => {
  const holds: Hold[] = [];
  const { adapter, release } = heldModel();
  const counting: ModelAdapter = {
    ...adapter,
    converse: (asked, signal, onText, onWait, hold = () => {}) => {
      holds.push(hold);
      return adapter.converse(asked, signal, onText, onWait);
    },
  };
  const limited = createCallLimits(9, new FairQueue({ ofAccount: mebibyte, inTotal: 2 * mebibyte, ofEachAccount: 1 }));
  const calls = ['ann', 'ann', 'ben'].map((userId, at) =>
    limited(toLanguageModel(counting), { userId: asOwner(userId), key: null }).converse(conversation(`${at}`), never, () => {}),
  );
  await settle();
  const [first, second, bens] = holds as [Hold, Hold, Hold];
  for (let pieces = 0; pieces < 60; pieces += 1) first(1_024);
  expect(() => {
    for (let pieces = 0; pieces < 200; pieces += 1) second(1_024);
  }).toThrow(expect.objectContaining({ code: 'EANSWERSTOOLARGE' }));
  for (let pieces = 0; pieces < 60; pieces += 1) bens(1_024);
  for (let left = 0; left < 3; left += 1) release();
  expect(await Promise.all(calls)).toEqual(calls.map(() => answer));
});

let ended = 0;
beforeEach(() => {
  ended = 0;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('G1.01 the time limit of a step stands still while its call waits', () => {
  const timer = startPausableTimer(1_000, () => {
    ended += 1;
  });
  vi.advanceTimersByTime(400);
  timer.pause(true);
  timer.pause(true);
  vi.advanceTimersByTime(10_000);
  expect(ended).toBe(0);
  timer.pause(false);
  vi.advanceTimersByTime(599);
  expect(ended).toBe(0);
  vi.advanceTimersByTime(1);
  expect(ended).toBe(1);
  timer.stop();
});
