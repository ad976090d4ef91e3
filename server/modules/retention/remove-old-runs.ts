import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { transact } from '../../platform/database/prepared-statements.ts';
import type { WorkQueue } from '../../platform/work-queue/work-queue.ts';
import { removeJoinedCommands } from '../commands/index.ts';
import { removeEndedExecutions } from '../executions/index.ts';

type RemovalDeps = { pool: pg.Pool; queue: Pick<WorkQueue, 'forgetDead'> };

type RetentionDeps = RemovalDeps & {
  /** The time that an execution is kept after its end (days); null for no limit. */
  keepDays: number | null;
  now: () => Date;
};

/** Executions removed in one transaction: few, so that other statements wait only briefly for its locks and writes. */
const removalBatch = 50;
/** The most batches that one call of a user removes: 1,000 executions. */
const batchesPerCall = 20;
/** The pause between two batches (ms): users' work has priority. */
export const pauseMs = 200;
export const dayMs = 24 * 60 * 60 * 1_000;

/** Removes executions that ended before the configured time, with everything that belongs to them. Several nodes may run it at once. */
export function createRetention({ pool, queue, keepDays, now }: RetentionDeps) {
  /** Removes old executions batch by batch until none is left or `signal` aborts. Returns their number. */
  return async (signal: AbortSignal): Promise<number> => {
    if (keepDays === null) return 0;
    const before = new Date(now().getTime() - keepDays * dayMs);
    for (let total = 0; ; ) {
      if (signal.aborted) return total;
      const removed = await removeBatch({ pool, queue }, { before, limit: removalBatch });
      total += removed;
      if (removed < removalBatch) return total;
      await wait(pauseMs, undefined, { signal, ref: false }).catch(() => {});
    }
  };
}

/** Removes the executions of an account that ended before `before`, as many as one call may. Returns their number. */
export function createAccountRemoval(deps: RemovalDeps) {
  return async (userId: string, before: Date): Promise<number> => {
    let total = 0;
    for (let batch = 0; batch < batchesPerCall; batch += 1) {
      const removed = await removeBatch(deps, { before, limit: removalBatch, userId });
      total += removed;
      if (removed < removalBatch) break;
    }
    return total;
  };
}

async function removeBatch({ pool, queue }: RemovalDeps, which: { before: Date; limit: number; userId?: string }): Promise<number> {
  return transact(pool, async (run) => {
    const removed = await removeEndedExecutions(run, which);
    if (removed.length === 0) return 0;
    const commandIds = await removeJoinedCommands(
      run,
      removed.map(({ id }) => id),
    );
    await queue.forgetDead(run, [...removed.flatMap(({ jobId }) => jobId ?? []), ...commandIds]);
    return removed.length;
  });
}
