import type pg from 'pg';
import { BoundedPool, type PoolLimits } from './bounded-pool.ts';
import type { Database } from './database.ts';
import { drizzle } from './drizzle.ts';
import { ServingPool } from './serving-pool.ts';

export type Pools = Pick<Database, 'pool' | 'db' | 'reads' | 'work' | 'batches' | 'queue' | 'heartbeats'>;

/** At most 26 connections, and one that listens. Three nodes and an operator's tools fit into PostgreSQL's default of 100. */
export const poolLimits = {
  reads: { max: 6, maxWaiting: 10_000, waitMs: 5_000, statementMs: 15_000, ofAccount: { max: 5, maxWaiting: 1_000 } },
  writes: { max: 7, maxWaiting: 10_000, waitMs: 5_000, statementMs: 15_000, ofAccount: { max: 6, maxWaiting: 1_000 } },
  work: { max: 6, maxWaiting: 10_000, waitMs: 10_000, statementMs: 30_000 },
  batches: { max: 3, maxWaiting: 1_000, waitMs: 10_000, statementMs: 15_000, lockMs: 200 },
  queue: { max: 3, maxWaiting: 1_000, waitMs: 5_000, statementMs: 30_000, lockMs: 10_000 },
  heartbeats: { max: 1, maxWaiting: 100, waitMs: 3_000, statementMs: 2_000 },
} as const satisfies Record<string, PoolLimits>;

/** The connections of one node by purpose. They are opened when first needed. */
export function openPools(
  connection: pg.PoolConfig,
  note: (line: string) => void,
  limits: Record<keyof typeof poolLimits, PoolLimits> = poolLimits,
): Pools & { end: () => Promise<void> } {
  const reads = new BoundedPool(connection, limits.reads);
  const pool = new ServingPool(connection, limits.writes, reads);
  const work = new BoundedPool(connection, limits.work);
  const batches = new BoundedPool(connection, limits.batches);
  const queue = new BoundedPool(connection, limits.queue);
  const heartbeats = new BoundedPool(connection, limits.heartbeats);
  const all = [reads, pool, work, batches, queue, heartbeats];
  for (const one of all) one.on('error', (error) => note(`A database connection was lost: ${error.message}`));
  return {
    pool,
    db: drizzle(pool),
    reads: drizzle(reads),
    work: { pool: work, db: drizzle(work) },
    batches,
    queue,
    heartbeats,
    end: async () => {
      await Promise.all(all.map((one) => one.end()));
    },
  };
}
