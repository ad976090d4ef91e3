import { expect, test } from 'vitest';
import { readIntervals } from '../../../server/intervals.ts';

const usual = {
  heartbeatSeconds: 15,
  superviseMs: 2_000,
  recoverMs: 10_000,
  suspectWatchMs: 30_000,
  suspectPauseMs: 10_000,
  questionWatchMs: 5_000,
  leavingWatchMs: 60_000,
  telegramPauseMs: 5_000,
};

test('only servers of tests shorten their intervals', () => {
  const ARTEL_TEST_INTERVALS = '{"heartbeatSeconds":8}';
  expect(readIntervals({ NODE_ENV: 'test', ARTEL_TEST_INTERVALS })).toEqual({ ...usual, heartbeatSeconds: 8 });
  expect(readIntervals({ NODE_ENV: 'production', ARTEL_TEST_INTERVALS })).toEqual(usual);
  expect(readIntervals({ NODE_ENV: 'test', ARTEL_TEST_INTERVALS: '' })).toEqual(usual);
});

test('an interval with another name or without a time is refused', () => {
  expect(() => readIntervals({ NODE_ENV: 'test', ARTEL_TEST_INTERVALS: '{"heartbeat":8}' })).toThrow('heartbeat');
  expect(() => readIntervals({ NODE_ENV: 'test', ARTEL_TEST_INTERVALS: '{"superviseMs":0}' })).toThrow('superviseMs');
});
