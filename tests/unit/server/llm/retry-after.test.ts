import { expect, test } from 'vitest';
import { failureOfError } from '../../../../server/platform/llm/classify-failure.ts';
import { HttpFailure } from '../../../../server/platform/llm/http-failure.ts';

const waitOf = (headers: Record<string, string>) =>
  failureOfError(new HttpFailure(429, '', headers), new AbortController().signal, null).retryAfterMs;

test.each(['-1', 'soon', '', 'Infinity', 'Thu, 01 Jan 2015 00:00:00 GMT'])(
  'M2.06 a wait of “%s” is none, so that ours applies',
  (value) => {
    expect(waitOf({ 'retry-after': value })).toBeUndefined();
  },
);

test('M2.06 the wait that a server asks for is taken over, up to a day', () => {
  expect(waitOf({ 'retry-after': '0' })).toBe(0);
  expect(waitOf({ 'retry-after': '2' })).toBe(2_000);
  expect(waitOf({ 'retry-after': '9999999' })).toBe(86_400_000);
});
