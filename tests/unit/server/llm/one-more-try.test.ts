import { expect, test } from 'vitest';
import { canContinue } from '../../../../server/modules/executions/tools/continued-answer.ts';
import { answerLimit } from '../../../../server/platform/llm/fit/answer-limit.ts';
import type { ModelFailure, ModelOutcome } from '../../../../server/platform/llm/language-model.ts';
import { withRetries } from '../../../../server/platform/llm/with-retries.ts';

const empty: ModelFailure = { code: 'model_empty_answer', transient: false, isWorthOneMore: true };
const busy: ModelFailure = { code: 'model_unavailable', transient: true };
const wrong: ModelFailure = { code: 'model_unauthorized', transient: false };
const answered: ModelOutcome = { ok: true, value: { text: 'Yes', thoughts: null, finish: 'stop', usage: null } };

/** Returns how often a model is asked that fails so, and answers then. */
async function callsFor(...failures: ModelFailure[]) {
  let calls = 0;
  const outcome = await withRetries(
    async () => {
      const error = failures[calls];
      calls += 1;
      return error ? { ok: false, error } : answered;
    },
    { signal: new AbortController().signal, onRetry: async () => {}, restMs: () => 1_000, backoffMs: 1, wait: async () => {} },
  );
  return [calls, outcome.ok ? 'answered' : outcome.error.code];
}

test('M2.14 an answer without text is asked for once more, and a passing failure twice', async () => {
  expect(await callsFor(empty)).toEqual([2, 'answered']);
  expect(await callsFor(empty, empty)).toEqual([2, 'model_empty_answer']);
  expect(await callsFor(busy, empty)).toEqual([3, 'answered']);
  expect(await callsFor(empty, busy, busy)).toEqual([3, 'model_unavailable']);
  expect(await callsFor(wrong)).toEqual([1, 'model_unauthorized']);
});

test.each([
  ['gpt-4', null, 4_000, 4_000],
  ['o3', null, 4_000, 20_000],
  ['openai/gpt-5.1', 'low', 4_000, 8_000],
  ['openai/gpt-5.1', 'none', 4_000, 4_000],
  ['gemini-3.8-flash', null, 4_000, 20_000],
  ['deepseek-reasoner', null, 4_000, 20_000],
  ['deepseek-chat', null, 4_000, 4_000],
  ['deepseek-flash', null, 4_000, 20_000],
  ['qwen3:8b', null, 4_000, 20_000],
  ['grok-4-fast-non-reasoning', null, 4_000, 4_000],
  ['claude-sonnet-4-6', null, 4_000, 4_000],
  ['claude-sonnet-4-6', 'high', 4_000, 36_000],
  ['o3', null, 128_000, 128_000],
  ['o3', null, null, null],
] as const)(
  'M2.30 the limit of an answer of %s with the effort %s is for its text: %s tokens are %s',
  (model, effort, maxTokens, limit) => {
    expect(answerLimit({ model, effort, maxTokens })).toBe(limit);
  },
);

test('M2.30 the limit of an answer with thoughts leaves three quarters of a known window to the prompt', () => {
  const limit = (window: number) => answerLimit({ model: 'qwen3:8b', effort: null, maxTokens: 4_000, window });
  expect([limit(8_192), limit(32_768), limit(262_144)]).toEqual([4_000, 8_192, 20_000]);
});

test('M2.25 an answer that its server pauses is continued twenty times at most', () => {
  const paused = { text: 'x', finish: 'pause', usage: null } as const;
  const parts = (count: number) => Array.from({ length: count }, () => ({ text: 'x' }));
  expect([canContinue(parts(19), paused), canContinue(parts(20), paused)]).toEqual([true, false]);
});
