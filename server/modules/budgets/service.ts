import type { z } from 'zod';
import {
  type Budget,
  type Budgets as BudgetsView,
  budget,
  type budgetUpdate,
  type Forecast,
  type forecastRequest,
  type runBudget,
} from '../../../contract/budget.ts';
import type { Cost } from '../../../contract/cost.ts';
import { addCosts } from '../../../rules/cost/cost-of.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Language } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import type { Db } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/drizzle.ts';
import { viewOf } from '../../platform/database/view-of.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { ProjectService } from '../projects/index.ts';
import { shownScope } from './reached-limit.ts';
import { type BudgetRow, budgetRepository, type Use } from './repository.ts';

type BudgetsDeps = {
  db: Db;
  newId: () => string;
  now: () => Date;
  currencies: readonly string[];
  projects: Pick<ProjectService, 'resolve'>;
};

type Limits = Pick<z.output<typeof runBudget>, 'money' | 'tokens' | 'calls' | 'activeMs' | 'atLimit' | 'warnAt'>;

/** The runs that a forecast reads. */
const forecastRuns = 10;
/** The latest runs of a project among which those of the team are looked for. */
const recentRuns = 100;

/** Budgets of an account, its projects and its runs, and what the latest runs have cost. */
export function createBudgets({ db, newId, now, currencies, projects }: BudgetsDeps) {
  const view = async (userId: OwnerId, rows: readonly BudgetRow[], executionId: string | null): Promise<BudgetsView> => {
    const uses = await budgetRepository(db).uses(
      userId,
      rows.map(({ id }) => id),
      executionId,
    );
    return { budgets: rows.map((row) => toBudget(row, uses.get(row.id))), currencies: [...currencies] };
  };

  /** Returns the project of a run. Throws `not_found` for another user's run. */
  const projectOfRun = async (userId: OwnerId, executionId: string): Promise<string> => {
    const { rows } = await db.execute<{ projectId: string }>(
      sql`SELECT project_id AS "projectId" FROM executions WHERE id = ${executionId}::uuid AND user_id = ${userId}::uuid`,
    );
    if (!rows[0]) throw new ApiError('not_found');
    return rows[0].projectId;
  };

  return {
    /** The budget of a run that is made. Throws `bad_request` for a currency that no price has. */
    ofNewRun({ userId, executionId, budget }: { userId: OwnerId; executionId: string; budget: Limits }, language: Language): BudgetRow {
      refuseCurrency(currencies, budget, 'budget.money.currency', language);
      const at = now();
      const place = { scope: 'run' as const, span: 'run' as const, userId, projectId: null, executionId, keyId: null };
      return { id: newId(), ...place, ...columnsOf(budget), createdAt: at, updatedAt: at };
    },

    /** The budget of a fork: the limits of its original's own budget, without what was used or added; null if that has none. */
    async ofFork(userId: OwnerId, executionId: string, original: { id: string; projectId: string }): Promise<BudgetRow | null> {
      const applying = await budgetRepository(db).ofExecution(userId, original.projectId, original.id);
      const own = applying.find((row) => row.executionId === original.id);
      if (!own) return null;
      const at = now();
      return { ...own, id: newId(), executionId, createdAt: at, updatedAt: at };
    },

    async list(userId: OwnerId, asked: { projectId?: string | undefined; executionId?: string | undefined }): Promise<BudgetsView> {
      const { executionId } = asked;
      if (executionId !== undefined) {
        const projectId = await projectOfRun(userId, executionId);
        return view(userId, await budgetRepository(db).ofExecution(userId, projectId, executionId), executionId);
      }
      const projectId = asked.projectId === undefined ? null : await projects.resolve(userId, asked.projectId);
      return view(userId, await budgetRepository(db).list(userId, projectId), null);
    },

    /** Sets the budget of a place. It applies from the next step of each run on. Throws `not_found` for another user's project or run. */
    async put(userId: OwnerId, update: z.output<typeof budgetUpdate>, language: Language): Promise<Budget> {
      refuseCurrency(currencies, update, 'money.currency', language);
      const { scope, span } = update;
      const projectId = update.projectId === undefined ? null : await projects.resolve(userId, update.projectId);
      const executionId = update.executionId ?? null;
      if (executionId !== null) await projectOfRun(userId, executionId);
      const row = await db.transaction(async (tx) => {
        // Two tabs that set the same budget at once: the second one changes what the first one has made.
        await tx.execute(sql`SELECT 1 FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`);
        const repository = budgetRepository(tx);
        const known = await repository.find({ scope, span, userId, projectId, executionId });
        const at = now();
        if (!known)
          return repository.add({
            id: newId(),
            scope,
            span,
            userId,
            projectId,
            executionId,
            keyId: null,
            ...columnsOf(update),
            createdAt: at,
            updatedAt: at,
          });
        const changed = await repository.change(known.id, columnsOf(update));
        if (changed.currency !== known.currency) await repository.countMoney(known.id);
        return changed;
      });
      const uses = await budgetRepository(db).uses(userId, [row.id], executionId);
      return toBudget(row, uses.get(row.id));
    },

    async remove(userId: OwnerId, id: string): Promise<void> {
      if (!(await budgetRepository(db).remove(userId, id))) throw new ApiError('not_found');
    },

    async forecast(userId: OwnerId, { projectId, agentIds }: z.output<typeof forecastRequest>): Promise<Forecast> {
      return readForecast(db, userId, { projectId: await projects.resolve(userId, projectId), agentIds });
    },
  };
}

export type Budgets = ReturnType<typeof createBudgets>;

/**
 * Returns what the latest completed runs of a team have used: those of the project with the same agents. Only whole runs count: a fork
 * has paid for a part of its steps, and a run that a budget has ended left some out. A person's step names an agent that is not called.
 */
async function readForecast(
  db: Db,
  userId: OwnerId,
  { projectId, agentIds }: { projectId: string; agentIds: readonly string[] },
): Promise<Forecast> {
  const team = [...new Set(agentIds)].toSorted();
  const { rows } = await db.execute<{ costs: (Cost | null)[]; tokens: string; activeMs: string; simulated: boolean }>(sql`
    WITH recent AS MATERIALIZED (SELECT id, active_ms, completed_at FROM executions WHERE user_id = ${userId}::uuid
        AND project_id = ${projectId}::uuid AND status = 'completed' AND forked_at IS NULL AND NOT limited
        ORDER BY created_at DESC LIMIT ${recentRuns})
    SELECT json_agg(s.cost) AS costs, coalesce(sum((s.usage->>'totalTokens')::bigint), 0)::bigint AS tokens, r.active_ms AS "activeMs",
      bool_and(s.simulated OR s.provider IS NULL) AS simulated
    FROM recent r JOIN execution_steps s ON s.execution_id = r.id AND s.kind IS DISTINCT FROM 'person'
    GROUP BY r.id, r.active_ms, r.completed_at
    HAVING array_agg(DISTINCT s.agent_id::text ORDER BY s.agent_id::text) = ${sql.param(team)}::text[]
    ORDER BY r.completed_at DESC LIMIT ${forecastRuns}`);
  const costs = rows.map((row) => addCosts(row.costs));
  return {
    runs: rows.length,
    tokens: rangeOf(rows.map(({ tokens }) => Number(tokens))),
    activeMs: rangeOf(rows.map(({ activeMs }) => Number(activeMs))),
    money: addCosts(costs).amounts.map(({ currency }) => ({
      currency,
      ...rangeOf(costs.map(({ amounts }) => amounts.find((one) => one.currency === currency)?.micros ?? 0)),
    })),
    total: addCosts(costs),
    simulated: rows.length > 0 && rows.every(({ simulated }) => simulated),
  };
}

/** Throws `bad_request` for a limit of money in a currency that no price has. */
export function refuseCurrency(currencies: readonly string[], { money }: Limits, path: string, language: Language): void {
  if (!money || currencies.includes(money.currency)) return;
  const message = translate(language, 'field.currency_without_prices', { currencies: currencies.join(', ') });
  throw new ApiError('bad_request', { errors: [{ path, message }] });
}

export function columnsOf({ money, tokens, calls, activeMs, atLimit, warnAt }: Limits) {
  return {
    currency: money?.currency ?? null,
    micros: money?.micros ?? null,
    tokens: tokens ?? null,
    calls: calls ?? null,
    activeMs: activeMs ?? null,
    atLimit,
    warnAt,
  };
}

const showBudget = viewOf(budget);
const showUse = viewOf(budget.shape.used.unwrap());

function toBudget(row: BudgetRow, use: Use | undefined): Budget {
  return showBudget(row, {
    ...shownLimits(row),
    scope: shownScope(row.scope),
    used: use ? showUse(use, { otherMoney: use.others.length > 0 ? use.others : null }) : null,
    extra: use ? { micros: use.extraMicros, tokens: use.extraTokens, calls: use.extraCalls, activeMs: use.extraActiveMs } : null,
  });
}

export function shownLimits({ currency, micros, atLimit }: BudgetRow) {
  return {
    atLimit: atLimit === 'refuse' ? ('stop' as const) : atLimit,
    money: currency !== null && micros !== null ? { currency, micros } : null,
  };
}

function rangeOf(values: readonly number[]): { min: number; max: number } {
  return values.length === 0 ? { min: 0, max: 0 } : { min: Math.min(...values), max: Math.max(...values) };
}
