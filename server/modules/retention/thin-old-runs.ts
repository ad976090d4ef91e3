import type pg from 'pg';
import type { Db } from '../../platform/database/database.ts';
import { transact } from '../../platform/database/prepared-statements.ts';
import type { WorkQueue } from '../../platform/work-queue/work-queue.ts';
import { thinEndedExecutions } from '../executions/index.ts';
import { removeOldThoughts } from '../thoughts/index.ts';
import { dayMs, inBatches } from './in-batches.ts';

type ThinningDeps = {
  pool: pg.Pool;
  db: Db;
  queue: Pick<WorkQueue, 'forgetDead' | 'removeOldDead'>;
  /** The time that events and turns of an execution are kept after its end (days), and work that was given up. */
  keepDays: number;
  now: () => Date;
};

/** Executions thinned in one transaction. */
const thinnedAtOnce = 50;

/**
 * Thins what is seldom opened again: events and turns of executions that ended before the configured time, dead letters of that age, and thoughts of that
 * age without a run. Works batch by batch until none is left or `signal` aborts. Several nodes may run it at once.
 */
export function createThinning({ pool, db, queue, keepDays, now }: ThinningDeps) {
  const before = () => new Date(now().getTime() - keepDays * dayMs);
  const thinRuns = () =>
    transact(pool, async (run) => {
      const { jobIds, isLast } = await thinEndedExecutions(run, { before: before(), limit: thinnedAtOnce, now: now() });
      // A run goes on from its turns: one without them cannot be retried.
      await queue.forgetDead(run, jobIds);
      return !isLast;
    });
  return {
    runs: (signal: AbortSignal) => inBatches(signal, thinRuns),
    deadLetters: (signal: AbortSignal) => inBatches(signal, () => queue.removeOldDead(before())),
    thoughts: (signal: AbortSignal) => inBatches(signal, () => removeOldThoughts(db, before())),
  };
}
