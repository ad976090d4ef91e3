import { expect, test } from 'vitest';
import { ApiError } from '../../../src/api/api-error.ts';
import { retryWait } from '../../../src/landing/lead/use-lead-form.ts';

const refused = (retryAfterMs: number | null) => new ApiError({ status: 429, code: 'too_many_requests', message: 'x', retryAfterMs });

test.each([
  [1, { unit: 'seconds', count: 1 }],
  [42_000, { unit: 'seconds', count: 42 }],
  [89_001, { unit: 'minutes', count: 2 }],
  [90_000, { unit: 'minutes', count: 2 }],
  [3_600_000, { unit: 'minutes', count: 60 }],
] as const)('P4.10 a wait of %i ms is told as a reader counts it', (ms, wait) => {
  expect(retryWait(refused(ms))).toEqual(wait);
});

test('P4.10 no wait is told where the server asked for none', () => {
  expect([refused(null), refused(0), new TypeError('x'), null].map(retryWait)).toEqual([null, null, null, null]);
});
