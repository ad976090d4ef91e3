import type pg from 'pg';
import type { OwnerId } from '../../platform/owner-id.ts';

/** Calls that one statement sums up. */
const batch = 1_000;

/**
 * Adds the account's calls on the operator's keys to sums by month and model, and removes all of its calls. A call is summed up and removed by one
 * statement, so a repetition counts none twice. G8.08
 */
export async function sumLeftSpend(pool: pg.Pool, userId: OwnerId, signal?: AbortSignal): Promise<void> {
  for (;;) {
    signal?.throwIfAborted();
    const { rows } = await pool.query<{ removed: number }>(
      `WITH gone AS (DELETE FROM spend WHERE id IN (SELECT id FROM spend WHERE user_id = $1 LIMIT ${batch} FOR UPDATE SKIP LOCKED) RETURNING *),
        summed AS (INSERT INTO left_spend (month, provider, model, currency, calls, prompt_tokens, cached_tokens, cache_write_tokens, completion_tokens,
            reasoning_tokens, micros)
          SELECT date_trunc('month', created_at AT TIME ZONE 'utc')::date, provider, model, coalesce(currency, ''), count(*),
            sum(prompt_tokens), sum(cached_tokens), sum(cache_write_tokens), sum(completion_tokens), sum(reasoning_tokens), coalesce(sum(micros), 0)
          FROM gone WHERE is_lent GROUP BY 1, 2, 3, 4
          ON CONFLICT (month, provider, model, currency) DO UPDATE SET calls = left_spend.calls + excluded.calls,
            prompt_tokens = left_spend.prompt_tokens + excluded.prompt_tokens, cached_tokens = left_spend.cached_tokens + excluded.cached_tokens,
            cache_write_tokens = left_spend.cache_write_tokens + excluded.cache_write_tokens,
            completion_tokens = left_spend.completion_tokens + excluded.completion_tokens,
            reasoning_tokens = left_spend.reasoning_tokens + excluded.reasoning_tokens, micros = left_spend.micros + excluded.micros)
      SELECT count(*)::integer AS removed FROM gone`,
      [userId],
    );
    if ((rows[0]?.removed ?? 0) < batch) return;
  }
}
