import type { LimitReached } from '../../../contract/budget.ts';
import type { Money } from '../../../contract/cost.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Language } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, eq, isNotNull, isNull, or, type SQL, sql } from '../../platform/database/drizzle.ts';
import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import { insertion, type SqlFragment, writeStatement } from '../../platform/database/statement.ts';
import { distinct, recordset } from '../../platform/database/unique-rows.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { loseCalls } from './recount-calls.ts';
import { budgets, budgetUses, spend } from './tables.ts';

export type BudgetRow = typeof budgets.$inferSelect;

/** The operator's budgets of tokens a day on the server's keys: of each user, and of all together. */
const serverBudgetId = '00000000-0000-4000-8000-000000000001';
const totalBudgetId = '00000000-0000-4000-8000-000000000002';

/** Stores the budget of a new run, with the run. */
export function storingBudget(row: BudgetRow): SqlFragment {
  return (changed, place) => insertion(budgets, row, { source: changed, place });
}

/** Sets how many tokens a day may be used on the server's keys, by each user and by all together; 0 for no limit. */
export async function setServerBudgets(run: RunStatement, { daily, dailyOfAll }: { daily: number; dailyOfAll: number }): Promise<void> {
  const limits = [
    { id: serverBudgetId, scope: 'server', tokens: daily },
    { id: totalBudgetId, scope: 'total', tokens: dailyOfAll },
  ];
  const unique = distinct(limits, ({ id }) => id);
  await run(
    writeStatement(
      (place) => `INSERT INTO budgets (id, scope, span, at_limit, tokens)
        SELECT one.id, one.scope, 'day', 'refuse', nullif(one.tokens, 0)
          FROM ${recordset(unique, { name: 'one', shape: 'id uuid, scope text, tokens bigint', place })}
        ON CONFLICT (id) DO UPDATE SET tokens = excluded.tokens, updated_at = now() WHERE budgets.tokens IS DISTINCT FROM excluded.tokens`,
    ),
  );
}

/**
 * Counts calls by their prompt whose processes were killed and that no call repeats: their runs and commands have ended, or they are older than
 * every step may be.
 */
export async function settleLostCalls(run: RunStatement): Promise<void> {
  const ended = "('completed', 'failed', 'cancelled')";
  await loseCalls(
    run,
    () => `s.created_at < now() - interval '1 day'
      OR (s.execution_id IS NULL AND s.step_id IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM agent_commands c WHERE c.id = s.step_id AND c.status NOT IN ${ended}))
      OR EXISTS (SELECT 1 FROM executions e WHERE e.id = s.execution_id AND e.status IN ${ended})`,
  );
}

/** Counts the calls of an account by their prompt that have not ended: it is removed, and they are not settled any more. */
export async function loseCallsOfAccount(run: RunStatement, userId: OwnerId): Promise<void> {
  await loseCalls(run, (place) => `s.user_id = ${place(userId)}::uuid`);
}

/**
 * Removes at most `limit` calls and `limit` counts from before the last month, which no budget needs any more. Those of a run that has not ended
 * stay. Returns whether there may be more.
 */
export async function removeOldSpend(run: RunStatement, limit: number): Promise<boolean> {
  const begin = "date_trunc('month', now() AT TIME ZONE 'utc') - interval '1 month'";
  const [removed] = await run(
    writeStatement(
      (place) => `WITH old_calls AS (DELETE FROM spend WHERE id IN (SELECT id FROM spend one
          WHERE created_at < (${begin}) AT TIME ZONE 'utc' AND state <> 'reserved' AND NOT EXISTS (SELECT 1 FROM executions
            WHERE executions.id = one.execution_id AND status NOT IN ('completed', 'failed', 'cancelled'))
          LIMIT ${place(limit)}::integer) RETURNING 1),
        old_counts AS (DELETE FROM budget_uses u USING (SELECT one.budget_id, one.holder, one.period FROM budget_uses one JOIN budgets b ON b.id = one.budget_id
            WHERE b.span <> 'run' AND one.period < to_char(${begin}, CASE b.span WHEN 'day' THEN 'YYYY-MM-DD' ELSE 'YYYY-MM' END)
            LIMIT ${place(limit)}::integer) old
          WHERE u.budget_id = old.budget_id AND u.holder = old.holder AND u.period = old.period RETURNING 1)
        SELECT greatest((SELECT count(*) FROM old_calls), (SELECT count(*) FROM old_counts))::integer AS most`,
    ),
  );
  return Number(removed?.most) >= limit;
}

type BudgetKey = Pick<BudgetRow, 'scope' | 'span'> & { userId: OwnerId; projectId: string | null; executionId: string | null };

/** Budgets of one connection or transaction. Every query names the owner. */
export function budgetRepository(db: Db) {
  const same = (column: typeof budgets.projectId | typeof budgets.executionId, value: string | null) =>
    value === null ? isNull(column) : eq(column, value);
  return {
    /** Returns the budgets of the account and of one of its projects, in order. */
    list: (userId: OwnerId, projectId: string | null): Promise<BudgetRow[]> =>
      db
        .select()
        .from(budgets)
        .where(
          and(
            eq(budgets.userId, userId),
            isNull(budgets.executionId),
            or(isNull(budgets.projectId), projectId === null ? undefined : eq(budgets.projectId, projectId)),
          ),
        )
        .orderBy(budgets.scope, budgets.span),

    /** Returns the budgets that apply to a run, in order; that of the API key that has started it too. */
    ofExecution: (userId: OwnerId, projectId: string, executionId: string): Promise<BudgetRow[]> =>
      db
        .select()
        .from(budgets)
        .where(
          or(
            and(
              eq(budgets.userId, userId),
              or(isNull(budgets.projectId), eq(budgets.projectId, projectId)),
              or(isNull(budgets.executionId), eq(budgets.executionId, executionId)),
            ),
            sql`${budgets.keyId} = (SELECT key_id FROM executions WHERE id = ${executionId}::uuid AND user_id = ${userId}::uuid)`,
          ),
        )
        .orderBy(budgets.scope, budgets.span),

    /** Returns the budgets of an account's API keys, with their counts of today or this month. */
    ofKeys: (userId: OwnerId) => usesOfKeys(db, sql`${budgets.keyId} IN (SELECT id FROM api_keys WHERE user_id = ${userId}::uuid)`),

    /** Does the same for one key. */
    withUse: (keyId: string) => usesOfKeys(db, eq(budgets.keyId, keyId)),

    ofKey: async (keyId: string): Promise<BudgetRow | null> =>
      (await db.select().from(budgets).where(eq(budgets.keyId, keyId)).for('update'))[0] ?? null,

    find: async ({ scope, span, userId, projectId, executionId }: BudgetKey): Promise<BudgetRow | null> => {
      const here = and(eq(budgets.userId, userId), eq(budgets.scope, scope), eq(budgets.span, span));
      const [row] = await db
        .select()
        .from(budgets)
        .where(and(here, same(budgets.projectId, projectId), same(budgets.executionId, executionId)))
        .for('update');
      return row ?? null;
    },

    add: async (row: BudgetRow): Promise<BudgetRow> => (await db.insert(budgets).values(row).returning())[0] as BudgetRow,

    change: async (id: string, values: Partial<BudgetRow>): Promise<BudgetRow> =>
      (
        await db
          .update(budgets)
          .set({ ...values, updatedAt: sql`now()` })
          .where(eq(budgets.id, id))
          .returning()
      )[0] as BudgetRow,

    countMoney: (id: string) => countMoney(db, id),

    remove: async (userId: OwnerId, id: string): Promise<boolean> => {
      const gone = await db.delete(budgets).where(and(eq(budgets.id, id), eq(budgets.userId, userId)));
      return (gone.rowCount ?? 0) > 0;
    },

    uses: (userId: OwnerId, ids: readonly string[], executionId: string | null) => usesOf(db, userId, ids, executionId),
  };
}

/**
 * Counts the money of a budget again, from its calls in the currency that it has now. What was added in the earlier one does not count. The
 * counts are replaced, not changed: a reservation or a settlement that has read the earlier currency does not find them and begins again.
 */
async function countMoney(db: Db, id: string): Promise<void> {
  // Reservations that hold the counts end first, so that the next statement sees their calls.
  await db.execute(sql`SELECT FROM ${budgetUses} WHERE budget_id = ${id}::uuid ORDER BY user_id, period FOR UPDATE`);
  await db.execute(sql`WITH old AS (DELETE FROM ${budgetUses} u USING ${budgets} b
      WHERE b.id = ${id}::uuid AND u.budget_id = b.id AND (b.span = 'run' OR u.period = ${periodNow(sql`b.span`)})
      RETURNING u.*, b.currency, b.project_id, b.span)
    INSERT INTO ${budgetUses} (budget_id, user_id, period, execution_id, micros, tokens, calls, active_ms, extra_tokens, extra_calls, extra_active_ms)
    SELECT old.budget_id, old.user_id, old.period, old.execution_id, coalesce((SELECT sum(one.micros) FROM ${spend} one
        WHERE one.user_id = old.user_id AND one.currency = old.currency AND (old.project_id IS NULL OR one.project_id = old.project_id)
          AND CASE old.span WHEN 'run' THEN one.execution_id = old.execution_id ELSE ${isOfPeriod(sql`old.span`)} END), 0),
      old.tokens, old.calls, old.active_ms, old.extra_tokens, old.extra_calls, old.extra_active_ms
    FROM old`);
}

/**
 * Returns the counts of budgets in the named run, today, or this month; the calls where nothing is counted yet. Before the first call of an API key its
 * budget has only what is reserved.
 */
async function usesOf(db: Db, userId: OwnerId, ids: readonly string[], executionId: string | null): Promise<Map<string, Use>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.execute<UseRow>(sql`
    WITH own AS (SELECT b.*, CASE b.span WHEN 'run' THEN ${executionId}::text ELSE ${periodNow(sql`b.span`)} END AS period
      FROM budgets b WHERE b.id = ANY(${sql.param(ids)}::uuid[]) AND (b.span <> 'run' OR ${executionId}::text IS NOT NULL))
    SELECT own.id, coalesce(u.micros, s.micros, 0)::bigint AS micros, coalesce(u.tokens, s.tokens, 0)::bigint AS tokens,
      coalesce(u.calls, s.calls, 0)::bigint AS calls, coalesce(u.active_ms, s.ms, 0)::bigint AS "activeMs",
      coalesce(s.reserved_micros, 0)::bigint AS "reservedMicros", coalesce(s.reserved_tokens, 0)::bigint AS "reservedTokens",
      coalesce(u.extra_micros, 0) AS "extraMicros", coalesce(u.extra_tokens, 0) AS "extraTokens", coalesce(u.extra_calls, 0) AS "extraCalls",
      coalesce(u.extra_active_ms, 0) AS "extraActiveMs", s.others
    FROM own LEFT JOIN budget_uses u ON u.budget_id = own.id AND u.user_id = ${userId}::uuid AND u.period = own.period
    CROSS JOIN LATERAL (SELECT sum(calls) AS calls, sum(ms) AS ms, sum(tokens) AS tokens,
        sum(micros) FILTER (WHERE currency = own.currency) AS micros,
        sum(reserved_micros) FILTER (WHERE currency = own.currency) AS reserved_micros, sum(reserved_tokens) AS reserved_tokens,
        coalesce(json_agg(json_build_object('currency', currency, 'micros', micros) ORDER BY currency)
          FILTER (WHERE currency <> own.currency AND micros > 0), '[]') AS others
      FROM (SELECT one.currency, count(*) AS calls, sum(one.ms) AS ms, sum(one.prompt_tokens::bigint + one.completion_tokens) AS tokens,
          sum(one.micros)::bigint AS micros, sum(one.micros) FILTER (WHERE one.state = 'reserved') AS reserved_micros,
          sum(one.prompt_tokens::bigint + one.completion_tokens) FILTER (WHERE one.state = 'reserved') AS reserved_tokens
        FROM ${spend} one WHERE one.user_id = ${userId}::uuid AND (own.project_id IS NULL OR one.project_id = own.project_id)
          AND CASE own.span WHEN 'run' THEN one.execution_id = ${executionId}::uuid ELSE ${isOfPeriod(sql`own.span`)} END
          AND (own.key_id IS NULL OR (one.state = 'reserved' AND own.key_id = CASE WHEN one.execution_id IS NULL
            THEN (SELECT key_id FROM agent_commands WHERE id = one.step_id) ELSE (SELECT key_id FROM executions WHERE id = one.execution_id) END))
        GROUP BY one.currency) AS by_currency) s`);
  return new Map(
    rows.map(({ id, others, ...use }) => {
      const figures = Object.fromEntries(Object.entries(use).map(([key, value]) => [key, Number(value)])) as Figures;
      return [id, { ...figures, others }];
    }),
  );
}

function usesOfKeys(db: Db, where: SQL) {
  return db
    .select({ row: budgets, use: budgetUses })
    .from(budgets)
    .leftJoin(budgetUses, and(eq(budgetUses.budgetId, budgets.id), sql`${budgetUses.period} = ${periodNow(sql`${budgets.span}`)}`))
    .where(and(isNotNull(budgets.keyId), where));
}

/** The day or the month of now, as a count names it. */
const periodNow = (span: SQL) => sql`to_char(now() AT TIME ZONE 'utc', CASE ${span} WHEN 'day' THEN 'YYYY-MM-DD' ELSE 'YYYY-MM' END)`;
/** A condition of the call `one`: made today, or this month. */
const isOfPeriod = (span: SQL) => sql`one.created_at >= date_trunc(${span}, now() AT TIME ZONE 'utc') AT TIME ZONE 'utc'`;

type Figures = Record<
  | 'micros'
  | 'tokens'
  | 'calls'
  | 'activeMs'
  | 'reservedMicros'
  | 'reservedTokens'
  | 'extraMicros'
  | 'extraTokens'
  | 'extraCalls'
  | 'extraActiveMs',
  number
>;
/** `others`: what was spent in other currencies than that of the budget. */
export type Use = Figures & { others: Money[] };
type UseRow = { id: string; others: Money[] } & Record<keyof Figures, string>;

const columnsOf = { money: 'micros', tokens: 'tokens', calls: 'calls', time: 'active_ms' } as const;
type LimitColumn = (typeof columnsOf)[keyof typeof columnsOf];

/**
 * Raises a limit for the run, day or month that has reached it: by the budget itself, or to a new figure. The budget of other runs and days stays.
 * A limit that the budget does not have any more is not raised. Throws `bad_request` for a figure that is used already.
 */
export async function raiseLimit(tx: Db, asked: OfLimit & { figure: number | null }, language: Language): Promise<void> {
  const { limit, figure } = asked;
  if (limit.kind === 'price') return;
  const column = columnsOf[limit.kind];
  const [used, extra, base] = [sql.raw(`u.${column}`), sql.raw(`extra_${column}`), sql.raw(`b.${column}`)];
  const here = countOf(asked, column);
  if (figure !== null) {
    const { rows } = await tx.execute<{ used: string }>(
      sql`SELECT ${used} AS used FROM budget_uses u, budgets b WHERE ${here} FOR UPDATE OF u`,
    );
    if (Number(rows[0]?.used ?? 0) >= figure)
      throw new ApiError('bad_request', { errors: [{ path: 'limit', message: translate(language, 'field.limit_is_used') }] });
  }
  const added = figure === null ? sql`u.${extra} + ${base}` : sql`greatest(0, ${figure}::bigint - ${base})`;
  await tx.execute(sql`UPDATE budget_uses u SET ${extra} = ${added} FROM budgets b WHERE ${here}`);
}

/** Returns whether a call that did not fit into a budget still does not. A person may have raised, changed or removed the limit since. */
export async function isStillReached(tx: Db, asked: OfLimit): Promise<boolean> {
  const { limit, userId } = asked;
  if (limit.kind === 'price') {
    const { rows } = await tx.execute(sql`SELECT FROM budgets b WHERE b.id = ${limit.budgetId}::uuid
      AND (b.user_id = ${userId}::uuid OR b.key_id IN (SELECT id FROM api_keys WHERE user_id = ${userId}::uuid))
      AND b.currency = ${limit.currency}::text`);
    return rows.length > 0;
  }
  const column = columnsOf[limit.kind];
  const [used, extra, base] = [sql.raw(`u.${column}`), sql.raw(`u.extra_${column}`), sql.raw(`b.${column}`)];
  const { rows } = await tx.execute(sql`SELECT FROM budget_uses u, budgets b
    WHERE ${countOf(asked, column)} AND ${used} + ${limit.needed}::bigint > ${base} + ${extra}`);
  return rows.length > 0;
}

type OfLimit = { limit: LimitReached; userId: OwnerId; executionId: string };

/**
 * A condition of `budget_uses u` and `budgets b`: the count of a limit in this run, today or this month. None fits once the budget does not
 * limit this kind any more, or has another currency.
 */
const countOf = ({ limit: { budgetId, currency }, userId, executionId }: OfLimit, column: LimitColumn) =>
  sql`u.budget_id = b.id AND b.id = ${budgetId}::uuid AND u.user_id = ${userId}::uuid
    AND u.period = CASE b.span WHEN 'run' THEN ${executionId}::text ELSE ${periodNow(sql`b.span`)} END
    AND b.${sql.raw(column)} IS NOT NULL ${column === 'micros' ? sql`AND b.currency = ${currency}::text` : sql``}`;

/**
 * An SQL condition on rows with a user and a project, named `of`: budgets may apply to their model calls. `withKey`: the rows also have the API key
 * that has started them.
 */
export function hasBudget(of: string, { withKey = false }: { withKey?: boolean } = {}): string {
  return `EXISTS (SELECT 1 FROM budgets b WHERE b.user_id = ${of}.user_id AND b.execution_id IS NULL
    AND (b.project_id IS NULL OR b.project_id = ${of}.project_id)${withKey ? ` OR b.key_id = ${of}.key_id` : ''})`;
}
