import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { v7 } from 'uuid';
import type { Db } from '../platform/database/database.ts';
import { drizzle, sql } from '../platform/database/drizzle.ts';
import { ApiError } from './api-error.ts';
import { jsonParts } from './bodies/json-text.ts';

/** The stored answer of a first call. */
type StoredAnswer = { status: number; answer: unknown };

/** Longer than a client waits for an answer: an older claim belongs to a process that has died. */
const claimSeconds = 40;
const waitMs = 25_000;
const removedAtOnce = 1_000;

type Row = { request_hash: string; status: number | null; answer: unknown };

/** Stores the answer in the caller's transaction. Throws `conflict` if the claim was lost meanwhile. */
export type KeepStored = (tx: Db, stored: StoredAnswer) => Promise<void>;

/** Executes a write once for a user and an `Idempotency-Key`, also when a client repeats it. */
export class Idempotency {
  private readonly pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.pool = pool;
  }

  /**
   * Runs `work`, or returns the stored answer of this key. Waits for a call with the same key that is still running.
   * Work that stores its answer with its write is executed once even if the server dies; other work may then be executed again.
   * A failed call stores nothing, so that it can be repeated. Throws `idempotency_mismatch` for a key that was used for another request.
   */
  async once(userId: string, key: string, request: unknown, work: (keep: KeepStored) => Promise<StoredAnswer>): Promise<StoredAnswer> {
    const hash = await hashOf(request);
    const claim = v7();
    const stored = await this.claim(userId, key, hash, claim);
    if (stored) return stored;
    const write = ({ status, answer }: StoredAnswer) =>
      sql`UPDATE idempotency_keys SET status = ${status}, answer = ${JSON.stringify(answer ?? null)}::jsonb
        WHERE user_id = ${userId} AND key = ${key} AND claimed_by = ${claim} AND status IS NULL`;
    let kept = false;
    try {
      const done = await work(async (tx, answer) => {
        if ((await tx.execute(write(answer))).rowCount !== 1) throw new ApiError('conflict', { retryAfterSeconds: 5 });
        kept = true;
      });
      if (!kept) await drizzle(this.pool).execute(write(done));
      return done;
    } catch (error) {
      await this.pool
        .query('DELETE FROM idempotency_keys WHERE user_id = $1 AND key = $2 AND claimed_by = $3 AND status IS NULL', [userId, key, claim])
        .catch(() => {});
      throw error;
    }
  }

  /** Removes the claims of dead processes. Called at the start of the only process, when no call is running. */
  async releaseAll(): Promise<void> {
    await this.pool.query('DELETE FROM idempotency_keys WHERE status IS NULL');
  }

  /** Removes answers that are older than two days, one batch. Returns whether there may be more. */
  async removeOld(): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `DELETE FROM idempotency_keys WHERE ctid IN (SELECT ctid FROM idempotency_keys WHERE created_at < now() - interval '2 days' LIMIT $1)`,
      [removedAtOnce],
    );
    return rowCount === removedAtOnce;
  }

  private async claim(userId: string, key: string, hash: string, claim: string): Promise<StoredAnswer | null> {
    const deadline = performance.now() + waitMs;
    for (;;) {
      const claimed = await this.pool.query(
        `INSERT INTO idempotency_keys (user_id, key, request_hash, claimed_by, claimed_until)
         VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5))
         ON CONFLICT (user_id, key) DO UPDATE SET claimed_by = excluded.claimed_by, claimed_until = excluded.claimed_until
           WHERE idempotency_keys.status IS NULL AND idempotency_keys.claimed_until < now() AND idempotency_keys.request_hash = excluded.request_hash`,
        [userId, key, hash, claim, claimSeconds],
      );
      if (claimed.rowCount === 1) return null;
      const { rows } = await this.pool.query<Row>(
        'SELECT request_hash, status, answer FROM idempotency_keys WHERE user_id = $1 AND key = $2',
        [userId, key],
      );
      const row = rows[0];
      if (row && row.request_hash !== hash) throw new ApiError('idempotency_mismatch');
      if (row?.status != null) return { status: row.status, answer: row.answer };
      if (performance.now() > deadline) throw new ApiError('conflict', { retryAfterSeconds: 5 });
      await delay(50);
    }
  }
}

async function hashOf(request: unknown): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of jsonParts(request)) hash.update(part);
  return hash.digest('base64url');
}
