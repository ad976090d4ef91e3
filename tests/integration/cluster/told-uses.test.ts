import { v7 } from 'uuid';
import { afterEach, expect, test } from 'vitest';
import { transact } from '../../../server/platform/database/prepared-statements.ts';
import { PgBossQueue, usualQueueIntervals } from '../../../server/platform/work-queue/pg-boss/pg-boss-queue.ts';
import type { WorkQueue } from '../../../server/platform/work-queue/work-queue.ts';
import { setUpDatabase } from '../../support/set-up/for-vitest.ts';

const database = setUpDatabase();
const open: WorkQueue[] = [];

afterEach(async () => {
  for (const queue of open.splice(0)) {
    queue.stop();
    await queue.drain(0);
    await queue.close();
  }
});

/** The queue of a node of a cluster that has asked once, at its start, whether commands are in use. */
async function openQueue(isInUse: boolean): Promise<WorkQueue> {
  const { queue: pool, heartbeats, connectionString } = database;
  const log = { warn: () => {}, error: () => {} };
  const intervals = { ...usualQueueIntervals, recoverMs: 3_600_000 };
  const queue = new PgBossQueue({ pool, heartbeats, connectionString, isAlone: false, intervals, log });
  const options = { maxAtOnce: 1, maxPerGroup: 1, heartbeatMs: 1_000, recover: async () => {}, inUse: `SELECT ${isInUse}` };
  queue.work('command', options, async () => 'done');
  await queue.start();
  open.push(queue);
  return queue;
}

test('K6.08 a node that takes a queue as in use tells one that does not of what it has stored', async () => {
  const [first, second] = [await openQueue(true), await openQueue(false)];
  expect([first.isInUse('command'), second.isInUse('command')]).toEqual([true, false]);
  first.markInUse('command');
  await expect.poll(() => second.isInUse('command')).toBe(true);
});

test('K6.08 a delayed job says that its queue is in use only after its transaction, and then to all nodes', async () => {
  const [first, second] = [await openQueue(false), await openQueue(false)];
  await transact(database.pool, async (run) => {
    await first.send(run, 'command', [{ id: v7(), group: 'one', delayMs: 3_600_000 }]);
    expect(first.isInUse('command')).toBe(false);
  });
  expect(first.isInUse('command')).toBe(false);
  first.wake('command', 3_600_000);
  expect(first.isInUse('command')).toBe(true);
  await expect.poll(() => second.isInUse('command')).toBe(true);
});
