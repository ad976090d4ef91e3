import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createCallLimits } from '../../../../server/platform/llm/call-limits.ts';
import type { Conversation, ModelAdapter, ModelOutcome } from '../../../../server/platform/llm/language-model.ts';
import { startPausableTimer } from '../../../../server/platform/llm/pausable-timer.ts';

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
    ...{ provider: 'openai', model: 'm', simulated: false, callsTools: false, host: null },
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
    limited(adapter, key).converse(
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
  const limited = createCallLimits(1)(adapter, 'key');
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
  const limited = createCallLimits(1)({ ...heldModel().adapter, converse: async () => Promise.reject(new Error('broken')) }, 'key');
  for (const name of ['one', 'two']) await expect(limited.converse(conversation(name), never, () => {})).rejects.toThrow('broken');
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
