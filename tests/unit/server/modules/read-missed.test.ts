import { expect, test } from 'vitest';
import { readMissed } from '../../../../server/modules/realtime/missed-updates.ts';

const logOf = (length: number) => {
  const log = Array.from({ length }, (_, index) => ({ seq: index + 1 }));
  return async (since: number, limit: number) => log.filter(({ seq }) => seq > since).slice(0, limit);
};

test.each([
  [0, 0],
  [0, 1],
  [0, 3],
  [0, 7],
  [2, 9],
  [9, 9],
])('W7.08 a client that has %i of a log misses nothing up to %i, however many pages that is', async (since, length) => {
  const missed: { seq: number }[] = [];
  for await (const page of readMissed(logOf(length), since, 3)) missed.push(...page);
  expect(missed.map(({ seq }) => seq)).toEqual(Array.from({ length: length - since }, (_, index) => since + index + 1));
});

test('W7.08 the next page of a log is read only once the reader has taken the one before', async () => {
  const reads: number[] = [];
  const log = logOf(9);
  const pages = readMissed(
    (since, limit) => {
      reads.push(since);
      return log(since, limit);
    },
    0,
    3,
  );
  await pages.next();
  expect(reads).toEqual([0]);
});
