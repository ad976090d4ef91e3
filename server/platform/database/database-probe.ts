import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { singleFlight } from '../../../src/async/single-flight.ts';

/**
 * Checks whether the database answers within `limitMs` and accepts writes. Concurrent checks share one query. A connection without
 * an answer is dropped, so probes never use up the pool.
 */
export function databaseProbe(pool: pg.Pool, limitMs: number): () => Promise<boolean> {
  const question = { text: "SELECT current_setting('transaction_read_only') = 'off' AS writable", query_timeout: limitMs };
  return singleFlight(() => {
    const answer = pool.query<{ writable: boolean }>(question).then(
      ({ rows }) => rows[0]?.writable === true,
      () => false,
    );
    return Promise.race([answer, wait(limitMs, false, { ref: false })]);
  });
}
