import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { transact } from '../../platform/database/prepared-statements.ts';
import type { WorkQueue } from '../../platform/work-queue/work-queue.ts';
import { removeJoinedCommands } from '../commands/index.ts';
import { removeEndedExecutions } from '../executions/index.ts';

export type RetentionDeps = {
  pool: pg.Pool;
  queue: Pick<WorkQueue, 'forgetDead'>;
  /** How long an execution is kept after its end (days); null for ever. */
  keepDays: number | null;
  now: () => Date;
};

/** Executions removed in one transaction: few, so that no other statement waits long for its locks or its writes. */
export const removalBatch = 50;
/** Pause between two batches (ms): the work of users goes first. */
const pauseMs = 200;
const dayMs = 24 * 60 * 60 * 1_000;

/** Removes executions that ended longer ago than the operator keeps them, with all that belongs to them. Several nodes may do it at once. */
export function createRetention({ pool, queue, keepDays, now }: RetentionDeps) {
  const removeBatch = (before: Date): Promise<number> =>
    transact(pool, async (run) => {
      const removed = await removeEndedExecutions(run, { before, limit: removalBatch });
      if (removed.length === 0) return 0;
      const commandIds = await removeJoinedCommands(
        run,
        removed.map(({ id }) => id),
      );
      await queue.forgetDead(run, [...removed.flatMap(({ jobId }) => jobId ?? []), ...commandIds]);
      return removed.length;
    });

  /** Removes what is too old by now, batch after batch, until none is left or `signal` aborts. Answers how many were removed. */
  return async (signal: AbortSignal): Promise<number> => {
    if (keepDays === null) return 0;
    const before = new Date(now().getTime() - keepDays * dayMs);
    for (let total = 0; ; ) {
      if (signal.aborted) return total;
      const removed = await removeBatch(before);
      total += removed;
      if (removed < removalBatch) return total;
      await wait(pauseMs, undefined, { signal, ref: false }).catch(() => {});
    }
  };
}
