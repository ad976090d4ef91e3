import type pg from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import { createHooks } from '../../../../server/modules/hooks/create-hooks.ts';
import { notifyingOfUse } from '../../../../server/platform/work-queue/pg-boss/job-table.ts';
import { PgBossQueue, usualQueueIntervals } from '../../../../server/platform/work-queue/pg-boss/pg-boss-queue.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** The queue of a process, and the queues whose use it has told other processes. */
function createQueue({ isAlone }: { isAlone: boolean }) {
  const told: unknown[] = [];
  const query = async ({ text, values = [] }: { text: string; values?: unknown[] }) => {
    if (text === notifyingOfUse) told.push(...values);
    return { rows: [] };
  };
  const pool = { query } as unknown as pg.Pool;
  const log = { warn: () => {}, error: () => {} };
  const deps = { pool, heartbeats: pool, connectionString: '', isAlone, intervals: usualQueueIntervals, log };
  return { queue: new PgBossQueue(deps), told };
}

test('K6.08 other processes are told of each stored use, also if this process takes the queue as in use already', () => {
  const { queue, told } = createQueue({ isAlone: false });
  // This process has asked nothing yet, so every queue is in use.
  queue.markInUse('trigger');
  queue.markInUse('trigger');
  expect(told).toEqual(['trigger', 'trigger']);
});

test('K6.08 other processes are not told of events, nor of jobs in a queue that is in use', () => {
  // The relay that the event wakes after a moment does not begin.
  vi.useFakeTimers();
  const { queue, told } = createQueue({ isAlone: false });
  createHooks({ queue, work: {} } as never).relaySoon();
  queue.wake('trigger');
  queue.wake('trigger', 1);
  expect([told, queue.isInUse('delivery')]).toEqual([[], true]);
});

test('K6.08 a process that is alone tells no other process of a use', () => {
  const { queue, told } = createQueue({ isAlone: true });
  queue.markInUse('trigger');
  queue.noteUse('delivery');
  expect(told).toEqual([]);
});
