import type pg from 'pg';
import { transact } from '../../platform/database/prepared-statements.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { WorkQueue } from '../../platform/work-queue/work-queue.ts';
import { removeJoinedCommands } from '../commands/index.ts';
import { removeEndedExecutions } from '../executions/index.ts';
import { dayMs, inBatches } from './in-batches.ts';

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

/** Removes executions that ended before the configured time, with everything that belongs to them. Several nodes may run it at once. */
export function createRetention({ pool, queue, keepDays, now }: RetentionDeps): (signal: AbortSignal) => Promise<void> {
  return async (signal) => {
    if (keepDays === null) return;
    const before = new Date(now().getTime() - keepDays * dayMs);
    await inBatches(signal, async () => (await removeBatch({ pool, queue }, { before, limit: removalBatch })) === removalBatch);
  };
}

/** Removes the executions of an account that ended before `before`, as many as one call may. Returns their number. */
export function createAccountRemoval(deps: RemovalDeps) {
  return async (userId: OwnerId, before: Date): Promise<number> => {
    let total = 0;
    for (let batch = 0; batch < batchesPerCall; batch += 1) {
      const removed = await removeBatch(deps, { before, limit: removalBatch, userId });
      total += removed;
      if (removed < removalBatch) break;
    }
    return total;
  };
}

async function removeBatch({ pool, queue }: RemovalDeps, which: { before: Date; limit: number; userId?: OwnerId }): Promise<number> {
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
