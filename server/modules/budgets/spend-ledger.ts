import type { LimitReached } from '../../../contract/budget.ts';
import type { TokenUsage } from '../../../contract/common.ts';
import type { Cost } from '../../../contract/cost.ts';
import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import { type Place, type Statement, writeStatement } from '../../platform/database/statement.ts';
import { type LimitRow, reachedLimit } from './reached-limit.ts';
import { amountOf, type Payer, payerOfRow, tokensOfRow } from './spend-row.ts';

/** A call before it is made: the most that it can use and cost. */
export type Reservation = {
  id: string;
  payer: Payer;
  provider: string;
  model: string;
  isLent: boolean;
  usage: TokenUsage;
  cost: Cost;
  /** Models without a price may be called in this run. */
  unpricedAllowed: boolean;
};

/** `lost`: calls of the same step that were never settled, since their process was killed. They stay as they were reserved. */
export type Reserved = { lost: LostCall[] } & (
  | { kind: 'reserved' }
  /** No budget applies: nothing is stored. */
  | { kind: 'free' }
  | { kind: 'full'; limit: LimitReached; atLimit: 'ask' | 'stop' | 'refuse' }
);

export type LostCall = { usage: TokenUsage; cost: Cost };

export type Settlement = { usage: TokenUsage; cost: Cost; ms: number; isEstimated: boolean };

export type SpendLedger = {
  /** Reserves a call in every budget that applies to it, or in none of them. */
  reserve: (call: Reservation) => Promise<Reserved>;
  /** Replaces a reservation by what the call has used. A repeated settlement changes nothing. */
  settle: (id: string, settlement: Settlement) => Promise<void>;
};

/** The most times that a statement is made again, because the counts of a budget were begun or replaced meanwhile. */
const maxTries = 5;

/** The ledger of calls and budgets. The clock of the database decides the day and the month (UTC). */
export function createSpendLedger(run: RunStatement): SpendLedger {
  return {
    async reserve(call) {
      const lost: LostCall[] = [];
      for (let beginnings = 0; ; beginnings += 1) {
        const [row] = await run(reserving(call));
        const { applying, taken, room, lost: found } = row as { applying: number; taken: number; room: LimitRow[]; lost: LostRow[] };
        lost.push(...found.map(lostCallOf));
        if (applying === 0) return { kind: 'free', lost };
        if (taken === applying) return { kind: 'reserved', lost };
        if (room.length === applying) return { kind: 'full', ...reachedLimit(room, call), lost };
        if (beginnings === maxTries) throw new Error('The counts of a budget cannot be begun.');
        await run(beginning(call));
      }
    },
    async settle(id, settlement) {
      for (let tries = 0; tries < maxTries; tries += 1) {
        const [row] = await run(settling(id, settlement));
        if (row?.settled) return;
      }
      throw new Error('The counts of a budget are replaced without an end.');
    },
  };
}

type LostRow = { currency: string | null; micros: number | null; promptTokens: number; completionTokens: number };

function lostCallOf({ currency, micros, promptTokens, completionTokens }: LostRow): LostCall {
  const usage = { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
  if (micros === null) return { usage, cost: { amounts: [], isUnknown: true, isEstimated: true } };
  return { usage, cost: { amounts: currency === null ? [] : [{ currency, micros }], isEstimated: true } };
}

/** The budgets that apply to a call, with the run, day or month that they count it in. `lock`: how their rows are locked. */
function applying({ payer: { userId, projectId, step }, isLent }: Reservation, place: Place, lock = ''): string {
  const execution = place(step?.executionId ?? null);
  return `applying AS MATERIALIZED (
    SELECT b.*, CASE b.span WHEN 'run' THEN ${execution}::text
        ELSE to_char(now() AT TIME ZONE 'utc', CASE b.span WHEN 'day' THEN 'YYYY-MM-DD' ELSE 'YYYY-MM' END) END AS period
      FROM budgets b
      WHERE (b.user_id = ${place(userId)}::uuid OR (b.scope = 'server' AND ${place(isLent)}::boolean AND b.tokens IS NOT NULL))
        AND (b.project_id IS NULL OR b.project_id = ${place(projectId)}::uuid)
        AND (b.execution_id IS NULL OR b.execution_id = ${execution}::uuid)
        AND (b.span <> 'run' OR ${execution}::uuid IS NOT NULL) ${lock})`;
}

/**
 * One statement that locks the counts of all budgets of a call, in one order. It takes the call's worst case from all of them if it fits
 * into each. Without one of the counts it takes nothing.
 */
function reserving(call: Reservation): Statement {
  const { id, payer, provider, model, isLent, usage, unpricedAllowed } = call;
  const { currency, micros } = amountOf(call.cost);
  return writeStatement((place) => {
    const [money, unit, tokens] = [`${place(micros)}::bigint`, `${place(currency)}::text`, `${place(usage.totalTokens)}::bigint`];
    const row = { ...payerOfRow(payer), ...tokensOfRow(usage) };
    const user = `${place(payer.userId)}::uuid`;
    const execution = `${place(row.executionId)}::uuid`;
    const step = `${place(row.stepId)}::uuid`;
    // A call that costs nothing fits into every currency.
    const isFree = `coalesce(${money} = 0, false)`;
    return `WITH ${applying(call, place)},
      lost AS (UPDATE spend SET state = 'estimated' WHERE execution_id = ${execution} AND step_id = ${step} AND state = 'reserved'
        RETURNING currency, micros, prompt_tokens AS "promptTokens", completion_tokens AS "completionTokens"),
      used AS MATERIALIZED (SELECT u.* FROM budget_uses u JOIN applying a ON u.budget_id = a.id AND u.period = a.period
        WHERE u.user_id = ${user} ORDER BY u.budget_id FOR UPDATE OF u),
      room AS MATERIALIZED (SELECT a.id, a.scope, a.span, a.currency, a.at_limit AS "atLimit", u.period,
          a.micros + u.extra_micros AS "microsLimit", u.micros, a.tokens + u.extra_tokens AS "tokensLimit", u.tokens,
          a.calls + u.extra_calls AS "callsLimit", u.calls, a.active_ms + u.extra_active_ms AS "activeMsLimit", u.active_ms AS "activeMs",
          (a.micros IS NULL OR ${isFree} OR a.currency IS DISTINCT FROM ${unit} OR u.micros + ${money} <= a.micros + u.extra_micros)
            AND (a.tokens IS NULL OR u.tokens + ${tokens} <= a.tokens + u.extra_tokens)
            AND (a.calls IS NULL OR u.calls + 1 <= a.calls + u.extra_calls)
            AND (a.active_ms IS NULL OR u.active_ms < a.active_ms + u.extra_active_ms) AS fits
        FROM used u JOIN applying a ON a.id = u.budget_id),
      allowed AS (SELECT bool_and(fits) AND count(*) = (SELECT count(*) FROM applying)
          AND (${isFree} OR ${place(unpricedAllowed)}::boolean
            OR bool_and("microsLimit" IS NULL OR currency IS NOT DISTINCT FROM ${unit})) AS ok FROM room),
      taken AS (UPDATE budget_uses u
        SET micros = u.micros + CASE WHEN r.currency = ${unit} THEN ${money} ELSE 0 END, tokens = u.tokens + ${tokens}, calls = u.calls + 1
        FROM room r WHERE u.budget_id = r.id AND u.period = r.period AND u.user_id = ${user} AND (SELECT ok FROM allowed)
        RETURNING u.budget_id AS id, u.period),
      kept AS (INSERT INTO spend (id, user_id, project_id, execution_id, step_id, round, item, attempt, provider, model, is_lent,
          prompt_tokens, completion_tokens, currency, micros, state, budgets)
        SELECT ${place(id)}::uuid, ${user}, ${place(row.projectId)}::uuid, ${execution}, ${step}, ${place(row.round)}::integer,
          ${place(row.item)}::integer, ${place(row.attempt)}::integer, ${place(provider)}, ${place(model)}, ${place(isLent)}::boolean,
          ${place(row.promptTokens)}::integer, ${place(row.completionTokens)}::integer, ${unit}, ${money}, 'reserved', jsonb_agg(taken)
        FROM taken HAVING count(*) > 0)
      SELECT (SELECT count(*) FROM applying)::integer AS applying, (SELECT count(*) FROM taken)::integer AS taken,
        coalesce((SELECT json_agg(room) FROM room), '[]') AS room, coalesce((SELECT json_agg(lost) FROM lost), '[]') AS lost`;
  });
}

/**
 * Begins the counts of budgets that have none for this run, day or month, with the calls that were made in it before. A change of a budget ends
 * first, so that money is counted in the currency that the budget has then.
 */
function beginning(call: Reservation): Statement {
  const { userId, step } = call.payer;
  return writeStatement((place) => {
    const user = `${place(userId)}::uuid`;
    const execution = `${place(step?.executionId ?? null)}::uuid`;
    return `WITH ${applying(call, place, 'FOR KEY SHARE OF b')}
      INSERT INTO budget_uses (budget_id, user_id, period, execution_id, micros, tokens, calls, active_ms)
      SELECT a.id, ${user}, a.period, CASE WHEN a.span = 'run' THEN ${execution} END, coalesce(s.micros, 0), coalesce(s.tokens, 0), s.calls,
        coalesce(s.ms, 0)
      FROM applying a CROSS JOIN LATERAL (
        SELECT sum(CASE WHEN one.currency = a.currency THEN one.micros END) AS micros, sum(one.prompt_tokens::bigint + one.completion_tokens) AS tokens,
          count(*) AS calls, sum(one.ms) AS ms
        FROM spend one
        WHERE one.user_id = ${user} AND (a.project_id IS NULL OR one.project_id = a.project_id) AND (a.scope <> 'server' OR one.is_lent)
          AND CASE a.span WHEN 'run' THEN one.execution_id = ${execution}
            ELSE one.created_at >= date_trunc(a.span, now() AT TIME ZONE 'utc') AT TIME ZONE 'utc' END) s
      ON CONFLICT DO NOTHING`;
  });
}

/**
 * Settles a reservation in all its budgets. Counts that a change of a currency has replaced meanwhile are not there to lock: then nothing is
 * settled, and `settled` is false.
 */
function settling(id: string, { usage, cost, ms, isEstimated }: Settlement): Statement {
  const { currency, micros } = amountOf(cost);
  const { promptTokens, completionTokens, cachedTokens, reasoningTokens } = tokensOfRow(usage);
  return writeStatement((place) => {
    const [money, tokens] = [`${place(micros)}::bigint`, `${place(usage.totalTokens)}::bigint`];
    return `WITH was AS (SELECT * FROM spend WHERE id = ${place(id)}::uuid AND (state = 'reserved' OR (state = 'estimated' AND ms = 0)) FOR UPDATE),
      held AS MATERIALIZED (SELECT u.budget_id, u.period, u.user_id, b.currency FROM was, jsonb_to_recordset(was.budgets) AS one (id uuid, period text)
        JOIN budget_uses u ON u.budget_id = one.id AND u.period = one.period JOIN budgets b ON b.id = u.budget_id
        WHERE u.user_id = was.user_id ORDER BY u.budget_id FOR UPDATE OF u),
      whole AS (SELECT (SELECT count(*) FROM held) = (SELECT count(*) FROM was, jsonb_to_recordset(was.budgets) AS one (id uuid, period text)
        JOIN budget_uses u ON u.budget_id = one.id AND u.period = one.period WHERE u.user_id = was.user_id) AS ok),
      counted AS (UPDATE budget_uses u
        SET micros = greatest(0, u.micros + CASE WHEN held.currency = ${place(currency)}::text THEN coalesce(${money}, 0) ELSE 0 END
            - CASE WHEN held.currency = was.currency THEN coalesce(was.micros, 0) ELSE 0 END),
          tokens = greatest(0, u.tokens + ${tokens} - was.prompt_tokens - was.completion_tokens),
          active_ms = u.active_ms + ${place(ms)}::bigint
        FROM held, was WHERE u.budget_id = held.budget_id AND u.period = held.period AND u.user_id = held.user_id AND (SELECT ok FROM whole)),
      changed AS (UPDATE spend SET state = ${place(isEstimated ? 'estimated' : 'settled')}, currency = ${place(currency)}, micros = ${money}, ms = ${place(ms)}::bigint,
        prompt_tokens = ${place(promptTokens)}::integer, completion_tokens = ${place(completionTokens)}::integer,
        cached_tokens = ${place(cachedTokens)}::integer, reasoning_tokens = ${place(reasoningTokens)}::integer
      FROM was WHERE spend.id = was.id AND (SELECT ok FROM whole))
      SELECT ok AS settled FROM whole`;
  });
}
