import type { LimitReached } from '../../../contract/budget.ts';
import type { TokenUsage } from '../../../contract/common.ts';
import type { Cost } from '../../../contract/cost.ts';
import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import { type BindValue, type Statement, writeStatement } from '../../platform/database/statement.ts';
import { type LimitRow, reachedLimit } from './reached-limit.ts';
import { everyone, type LostRow, loseCalls, maxTries, recounted } from './recount-calls.ts';
import { amountOf, type Payer, payerOfRow, tokensOfRow } from './spend-row.ts';

/** A call before it is made: the most that it can use and cost. */
export type Reservation = {
  id: string;
  payer: Payer;
  provider: string;
  model: string;
  usesOperatorKey: boolean;
  usage: TokenUsage;
  cost: Cost;
  /** Models without a price may be called in this run. */
  unpricedAllowed: boolean;
  /** The turn of the step or command: a call of the same turn repeats one that was killed. */
  turn: number;
  /** What the call counts as when its process is killed: its prompt. */
  least: CountedCall;
};

/** `lost`: calls of the same step or command that were found unsettled, since their process was killed. They count by their prompt from now on. */
export type Reserved = { lost: CountedCall[] } & (
  | { kind: 'reserved' }
  /** No budget applies: nothing is stored. */
  | { kind: 'free' }
  | { kind: 'full'; limit: LimitReached; atLimit: 'ask' | 'stop' | 'refuse'; isOfAll: boolean }
);

type CountedCall = { usage: TokenUsage; cost: Cost };

export type Settlement = { usage: TokenUsage; cost: Cost; ms: number; isEstimated: boolean };

export type SpendLedger = {
  /** Reserves a call in every budget that applies to it, or in none of them. */
  reserve: (call: Reservation) => Promise<Reserved>;
  /**
   * Replaces a reservation by what the call has used. Killed calls that it repeats count like it: returns what they count more now, or less. A
   * repeated settlement changes nothing.
   */
  settle: (id: string, settlement: Settlement) => Promise<CountedCall[]>;
};

/** The ledger of calls and budgets. The clock of the database decides the day and the month (UTC). */
export function createSpendLedger(run: RunStatement): SpendLedger {
  return {
    async reserve(call) {
      const lost: CountedCall[] = [];
      for (let tries = 0; ; tries += 1) {
        const [row] = await run(reserving(call));
        const { applying, taken, room, hasLost } = row as { applying: number; taken: number; room: LimitRow[]; hasLost: boolean };
        if (!hasLost && applying === 0) return { kind: 'free', lost };
        if (!hasLost && taken === applying) return { kind: 'reserved', lost };
        if (!hasLost && room.length === applying) return { kind: 'full', ...reachedLimit(room, call), lost };
        if (tries === maxTries) throw new Error('The counts of a budget cannot be begun.');
        if (hasLost) {
          lost.push(...(await loseCalls(run, ofCaller(call.payer))).map(countedCallOf));
        } else {
          await run(beginning(call));
        }
      }
    },
    async settle(id, settlement) {
      for (let tries = 0; tries < maxTries; tries += 1) {
        const [row] = await run(settling(id, settlement));
        if (row?.settled) return (row.repeated as RepeatedRow[]).map((repeated) => differenceOf(repeated, settlement));
      }
      throw new Error('The counts of a budget are replaced without an end.');
    },
  };
}

/** A condition of `spend s`: the call of this step or command. Runs of one pipeline have the same steps. */
function ofCaller(payer: Payer): (place: BindValue) => string {
  const { executionId, stepId } = payerOfRow(payer);
  return (place) => `s.step_id = ${place(stepId)}::uuid AND s.execution_id IS NOT DISTINCT FROM ${place(executionId)}::uuid`;
}

function countedCallOf({ currency, micros, promptTokens, completionTokens }: LostRow): CountedCall {
  const usage = { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
  if (micros === null) return { usage, cost: { amounts: [], isUnknown: true, isEstimated: true } };
  return { usage, cost: { amounts: currency === null || micros === 0 ? [] : [{ currency, micros }], isEstimated: true } };
}

type RepeatedRow = LostRow & { cachedTokens: number; cacheWriteTokens: number; reasoningTokens: number };

/** What a killed call counts more once it counts like the one that repeats it. */
function differenceOf(was: RepeatedRow, { usage, cost }: Settlement): CountedCall {
  const now = tokensOfRow(usage);
  const { amounts } = countedCallOf(was).cost;
  return {
    usage: {
      promptTokens: now.promptTokens - was.promptTokens,
      completionTokens: now.completionTokens - was.completionTokens,
      totalTokens: usage.totalTokens - was.promptTokens - was.completionTokens,
      cachedTokens: now.cachedTokens - was.cachedTokens,
      cacheWriteTokens: now.cacheWriteTokens - was.cacheWriteTokens,
      reasoningTokens: now.reasoningTokens - was.reasoningTokens,
    },
    cost: {
      ...cost,
      amounts: [...cost.amounts, ...amounts.map(({ currency, micros }) => ({ currency, micros: -micros }))],
      isEstimated: true,
    },
  };
}

/** The budgets that apply to a call, with the run, day or month that they count it in. `lock`: how their rows are locked. */
function applying({ payer, usesOperatorKey }: Reservation, place: BindValue, lock = ''): string {
  const { userId, projectId } = payer;
  const { executionId, stepId } = payerOfRow(payer);
  const execution = place(executionId);
  const startedBy = executionId === null ? `agent_commands WHERE id = ${place(stepId)}::uuid` : `executions WHERE id = ${execution}::uuid`;
  return `applying AS MATERIALIZED (
    SELECT b.*, CASE b.scope WHEN 'total' THEN '${everyone}'::uuid ELSE ${place(userId)}::uuid END AS holder, CASE b.span WHEN 'run' THEN ${execution}::text
        ELSE to_char(now() AT TIME ZONE 'utc', CASE b.span WHEN 'day' THEN 'YYYY-MM-DD' ELSE 'YYYY-MM' END) END AS period
      FROM budgets b
      WHERE (b.user_id = ${place(userId)}::uuid OR b.key_id = (SELECT key_id FROM ${startedBy})
          OR (b.scope IN ('server', 'total') AND ${place(usesOperatorKey)}::boolean AND b.tokens IS NOT NULL))
        AND (b.project_id IS NULL OR b.project_id = ${place(projectId)}::uuid)
        AND (b.execution_id IS NULL OR b.execution_id = ${execution}::uuid)
        AND (b.span <> 'run' OR ${execution}::uuid IS NOT NULL) ${lock})`;
}

/**
 * One statement that locks the counts of all budgets of a call, in one order. It takes the call's worst case from all of them if it fits
 * into each. Without one of the counts it takes nothing, and neither while a call of the same step or command is unsettled.
 */
function reserving(call: Reservation): Statement {
  const { id, payer, provider, model, usesOperatorKey, usage, unpricedAllowed, turn, least } = call;
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
      lost AS MATERIALIZED (SELECT EXISTS (SELECT FROM spend
        WHERE step_id = ${step} AND execution_id IS NOT DISTINCT FROM ${execution} AND state = 'reserved') AS found),
      used AS MATERIALIZED (SELECT u.* FROM budget_uses u
        JOIN applying a ON u.budget_id = a.id AND u.holder = a.holder AND u.period = a.period
        WHERE NOT (SELECT found FROM lost) ORDER BY u.budget_id FOR UPDATE OF u),
      room AS MATERIALIZED (SELECT a.id, a.scope, a.span, a.currency, a.at_limit AS "atLimit", u.period,
          u.holder, a.micros + u.extra_micros AS "microsLimit", u.micros, a.tokens + u.extra_tokens AS "tokensLimit", u.tokens,
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
        FROM room r WHERE u.budget_id = r.id AND u.holder = r.holder AND u.period = r.period AND (SELECT ok FROM allowed)
        RETURNING u.budget_id AS id, u.period),
      kept AS (INSERT INTO spend (id, user_id, project_id, execution_id, step_id, round, item, attempt, provider, model, is_lent,
          prompt_tokens, completion_tokens, currency, micros, state, budgets, turn, least_prompt_tokens, least_micros)
        SELECT ${place(id)}::uuid, ${user}, ${place(row.projectId)}::uuid, ${execution}, ${step}, ${place(row.round)}::integer,
          ${place(row.item)}::integer, ${place(row.attempt)}::integer, ${place(provider)}, ${place(model)}, ${place(usesOperatorKey)}::boolean,
          ${place(row.promptTokens)}::integer, ${place(row.completionTokens)}::integer, ${unit}, ${money}, 'reserved', jsonb_agg(taken),
          ${place(turn)}::integer, ${place(least.usage.promptTokens)}::integer, ${place(amountOf(least.cost).micros)}::bigint
        FROM taken HAVING count(*) > 0)
      SELECT (SELECT count(*) FROM applying)::integer AS applying, (SELECT count(*) FROM taken)::integer AS taken,
        coalesce((SELECT json_agg(room) FROM room), '[]') AS room, (SELECT found FROM lost) AS "hasLost"`;
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
          -- A key and its budget are made together: the first call begins the count.
          AND a.scope <> 'key'
          AND CASE a.span WHEN 'run' THEN one.execution_id = ${execution}
            ELSE one.created_at >= date_trunc(a.span, now() AT TIME ZONE 'utc') AT TIME ZONE 'utc' END) s
      WHERE a.scope <> 'total'
      UNION ALL SELECT a.id, NULL, a.period, NULL, 0, coalesce(s.tokens, 0), s.calls, coalesce(s.ms, 0)
      FROM applying a CROSS JOIN LATERAL (
        SELECT sum(one.prompt_tokens::bigint + one.completion_tokens) AS tokens, count(*) AS calls, sum(one.ms) AS ms FROM spend one
        WHERE one.is_lent AND one.created_at >= date_trunc(a.span, now() AT TIME ZONE 'utc') AT TIME ZONE 'utc') s
      WHERE a.scope = 'total'
      ON CONFLICT DO NOTHING`;
  });
}

/**
 * Settles a reservation in all its budgets, and counts killed calls of the same step, round and turn like it. A call that has used nothing says
 * nothing about them. Without all counts to lock nothing is settled, and `settled` is false: see `recounted`.
 */
function settling(id: string, { usage, cost, ms, isEstimated }: Settlement): Statement {
  const { currency, micros } = amountOf(cost);
  const { promptTokens, completionTokens, cachedTokens, cacheWriteTokens, reasoningTokens } = tokensOfRow(usage);
  return writeStatement((place) => {
    const figures = `${place(promptTokens)}::integer AS to_prompt, ${place(completionTokens)}::integer AS to_completion,
      ${place(cachedTokens)}::integer AS to_cached, ${place(cacheWriteTokens)}::integer AS to_cache_write,
      ${place(reasoningTokens)}::integer AS to_reasoning, ${place(currency)}::text AS to_currency, ${place(micros)}::bigint AS to_micros`;
    return `WITH asked AS MATERIALIZED (SELECT * FROM spend WHERE id = ${place(id)}::uuid AND state IN ('reserved', 'lost') FOR UPDATE),
      repeated AS MATERIALIZED (SELECT s.* FROM spend s JOIN asked a ON s.step_id = a.step_id
          AND s.execution_id IS NOT DISTINCT FROM a.execution_id AND s.round = a.round AND s.item = a.item
          AND s.turn = a.turn AND s.provider = a.provider AND s.model = a.model
        WHERE s.state = 'lost' AND s.id <> a.id AND a.state = 'reserved' AND ${place(usage.totalTokens > 0)}::boolean
        ORDER BY s.id FOR UPDATE OF s),
      was AS MATERIALIZED (
        SELECT asked.*, ${place(isEstimated ? 'estimated' : 'settled')}::text AS to_state, ${place(ms)}::bigint AS to_ms, ${figures} FROM asked
        UNION ALL SELECT repeated.*, 'lost', 0, ${figures} FROM repeated), ${recounted}
      SELECT ok AS settled, coalesce((SELECT json_agg(json_build_object('currency', currency, 'micros', micros, 'promptTokens', prompt_tokens,
        'completionTokens', completion_tokens, 'cachedTokens', cached_tokens, 'cacheWriteTokens', cache_write_tokens, 'reasoningTokens', reasoning_tokens))
        FROM repeated), '[]') AS repeated
      FROM whole`;
  });
}
