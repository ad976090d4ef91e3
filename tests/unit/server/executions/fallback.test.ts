import { expect, test } from 'vitest';
import { modelErrorCodes } from '../../../../contract/errors.ts';
import { keepParts } from '../../../../server/modules/executions/work/ask-until-chosen.ts';
import { takesFallback } from '../../../../server/modules/executions/work/fallback.ts';
import type { ModelAnswer, ModelFailure } from '../../../../server/platform/llm/language-model.ts';

type Answered = Parameters<typeof keepParts>[0];
const part: ModelAnswer = { text: 'Half', thoughts: null, finish: 'length', usage: null };
const failed = (code: ModelFailure['code'], change: Partial<Answered['about']> = {}, ending: Answered['ending'] = null): Answered =>
  ({
    outcome: { ok: false, error: { code, transient: true } },
    about: { marks: [], lastWrite: null, hasEffect: false, unfinished: null, ...change },
    ending,
  }) as Partial<Answered> as Answered;
const second = { fallback: { providerType: 'openai' } } as Parameters<typeof takesFallback>[1];

test('M5.01 a second connection is asked when the first is out of quota, too slow, unreachable or unavailable, and after no other failure', () => {
  expect(modelErrorCodes.filter((code) => takesFallback(failed(code), second)).sort()).toEqual([
    'model_quota_spent',
    'model_rate_limited',
    'model_timeout',
    'model_unavailable',
    'model_unreachable',
  ]);
  expect(takesFallback(failed('model_unavailable'), { fallback: null })).toBe(false);
});

test('M5.02 a second connection is not asked once a call has changed something outside, nor once the time of the step is over', () => {
  expect(takesFallback(failed('model_unavailable', { hasEffect: true }), second)).toBe(false);
  expect(takesFallback(failed('model_unavailable', {}, 'step_timeout'), second)).toBe(false);
});

test('M2.21 a step with parts of an answer completes as cut after a failure or at its time limit, but not once it was stopped', () => {
  expect(keepParts(failed('model_unavailable', { unfinished: part, marks: ['withoutTools'] }))).toMatchObject({
    outcome: { ok: true, value: { text: 'Half' } },
    about: { marks: ['withoutTools', 'cut'] },
  });
  expect(keepParts(failed('aborted', { unfinished: part }, 'step_timeout'))).toMatchObject({ outcome: { ok: true }, ending: null });
  expect(keepParts(failed('aborted', { unfinished: part }, 'abandoned')).outcome.ok).toBe(false);
  expect(keepParts(failed('model_unavailable')).outcome.ok).toBe(false);
});
