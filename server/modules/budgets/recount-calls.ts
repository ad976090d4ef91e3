import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import { type BindValue, type Statement, writeStatement } from '../../platform/database/statement.ts';

/** The holder of counts that are over all accounts together. */
export const everyone = '00000000-0000-0000-0000-000000000000';

/** The most times that a statement is made again, because the counts of a budget were begun or replaced meanwhile. */
export const maxTries = 5;

/**
 * Table expressions that count calls anew, in all budgets in which they were reserved. They follow one with the name `was`: locked rows of
 * `spend`, and in columns `to_...` what each counts as from now on. Counts that a change of a currency has replaced meanwhile are not there to
 * lock: then nothing is changed, and `whole.ok` is false.
 */
export const recounted = `
  places AS MATERIALIZED (SELECT was.id, one.id AS budget_id, one.period, b.currency AS unit,
      CASE b.scope WHEN 'total' THEN '${everyone}'::uuid ELSE was.user_id END AS holder
    FROM was, jsonb_to_recordset(was.budgets) AS one (id uuid, period text) JOIN budgets b ON b.id = one.id),
  held AS MATERIALIZED (SELECT u.budget_id, u.holder, u.period FROM budget_uses u
    WHERE (u.budget_id, u.holder, u.period) IN (SELECT budget_id, holder, period FROM places)
    ORDER BY u.budget_id, u.holder, u.period FOR UPDATE OF u),
  whole AS (SELECT (SELECT count(*) FROM held) = (SELECT count(*) FROM budget_uses u
    WHERE (u.budget_id, u.holder, u.period) IN (SELECT budget_id, holder, period FROM places)) AS ok),
  more AS (SELECT p.budget_id, p.holder, p.period,
      sum(CASE WHEN p.unit = was.to_currency THEN coalesce(was.to_micros, 0) ELSE 0 END
        - CASE WHEN p.unit = was.currency THEN coalesce(was.micros, 0) ELSE 0 END)::bigint AS micros,
      sum(was.to_prompt::bigint + was.to_completion - was.prompt_tokens - was.completion_tokens)::bigint AS tokens,
      sum(was.to_ms - was.ms)::bigint AS ms
    FROM places p JOIN was ON was.id = p.id GROUP BY p.budget_id, p.holder, p.period),
  counted AS (UPDATE budget_uses u SET micros = greatest(0, u.micros + more.micros), tokens = greatest(0, u.tokens + more.tokens),
      active_ms = u.active_ms + more.ms
    FROM held JOIN more USING (budget_id, holder, period)
    WHERE u.budget_id = held.budget_id AND u.holder = held.holder AND u.period = held.period AND (SELECT ok FROM whole)),
  changed AS (UPDATE spend SET state = was.to_state, prompt_tokens = was.to_prompt, completion_tokens = was.to_completion,
      cached_tokens = was.to_cached, cache_write_tokens = was.to_cache_write, reasoning_tokens = was.to_reasoning, currency = was.to_currency, micros = was.to_micros, ms = was.to_ms
    FROM was WHERE spend.id = was.id AND (SELECT ok FROM whole))`;

/** A call that was killed, as it counts until the call that repeats it is settled. */
export type LostRow = { currency: string | null; micros: number | null; promptTokens: number; completionTokens: number };

/**
 * Counts reserved calls by their prompt, since their processes were killed. `which` is a condition of `spend s`. One that was reserved by an earlier
 * version of the server stays as it was reserved.
 */
export async function loseCalls(run: RunStatement, which: (place: BindValue) => string): Promise<LostRow[]> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const [row] = await run(losing(which));
    if (row?.ok) return row.lost as LostRow[];
  }
  throw new Error('The counts of a budget are replaced without an end.');
}

function losing(which: (place: BindValue) => string): Statement {
  const isOld = 's.least_prompt_tokens IS NULL';
  return writeStatement(
    (place) => `WITH was AS MATERIALIZED (SELECT s.*, 'lost' AS to_state, coalesce(s.least_prompt_tokens, s.prompt_tokens) AS to_prompt,
        CASE WHEN ${isOld} THEN s.completion_tokens ELSE 0 END AS to_completion, 0 AS to_cached, 0 AS to_cache_write, 0 AS to_reasoning,
        s.currency AS to_currency, CASE WHEN ${isOld} THEN s.micros ELSE s.least_micros END AS to_micros, 0::bigint AS to_ms
      FROM spend s WHERE s.state = 'reserved' AND (${which(place)}) ORDER BY s.id FOR UPDATE OF s), ${recounted}
      SELECT ok, coalesce((SELECT json_agg(json_build_object('currency', to_currency, 'micros', to_micros, 'promptTokens', to_prompt,
        'completionTokens', to_completion)) FROM was), '[]') AS lost FROM whole`,
  );
}
