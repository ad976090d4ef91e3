import { expect, test } from 'vitest';
import { runWithLatest } from '../../../../server/modules/realtime/run-with-latest.ts';
import { createTokenBucket } from '../../../../server/modules/realtime/token-bucket.ts';

test('W7.08 a token bucket allows a burst and then a rate', () => {
  let now = 0;
  const bucket = createTokenBucket({ perSecond: 50, burst: 200 }, () => now);
  const takeAll = () => {
    let taken = 0;
    while (bucket.take()) taken += 1;
    return taken;
  };
  expect(takeAll()).toBe(200);
  now += 1_000;
  expect(takeAll()).toBe(50);
  now += 3_600_000;
  expect(takeAll()).toBe(200);
  now -= 5_000;
  expect(takeAll()).toBe(0);
});

test('W7.08 one value is worked on at a time, and of those that come meanwhile the newest', async () => {
  const worked: number[] = [];
  const waiting: (() => void)[] = [];
  const offer = runWithLatest(async (value: number) => {
    worked.push(value);
    await new Promise<void>((resolve) => waiting.push(resolve));
  });
  for (let value = 0; value < 1_000; value += 1) offer(value);
  expect(worked).toEqual([0]);
  waiting.shift()?.();
  await new Promise(setImmediate);
  expect(worked).toEqual([0, 999]);
});
