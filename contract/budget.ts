import { z } from 'zod';
import { id, timestamp } from './common.ts';
import { cost, currency, money } from './cost.ts';
import { maxForecastAgents } from './max-forecast-agents.ts';
import { maxLimits } from './max-limits.ts';
import { projectId } from './project.ts';

const budgetScopes = ['run', 'project', 'user'] as const;
const budgetSpans = ['run', 'day', 'month'] as const;
export type BudgetSpan = (typeof budgetSpans)[number];
/** What a budget limits; `price`: a call whose price is not known in the currency of the budget. */
const limitKinds = ['money', 'tokens', 'calls', 'time', 'price'] as const;

const figure = z.number().int().min(0);

/** Limits of model calls: one at least. Time is that of model calls, added up (ms). */
const limits = z.object({
  money: money.extend({ micros: z.number().int().min(1).max(maxLimits.micros) }).optional(),
  tokens: z.number().int().min(1).max(maxLimits.tokens).optional(),
  calls: z.number().int().min(1).max(maxLimits.calls).optional(),
  activeMs: z.number().int().min(1_000).max(maxLimits.activeMs).optional(),
  /** At a limit: a run asks, or ends with what there is. */
  atLimit: z.enum(['ask', 'stop']).default('ask'),
  /** The share of a limit at which it is shown as nearly used (percent). */
  warnAt: z.number().int().min(1).max(100).default(80),
});
const hasLimit = (value: Partial<Record<'money' | 'tokens' | 'calls' | 'activeMs', unknown>>) =>
  value.money !== undefined || value.tokens !== undefined || value.calls !== undefined || value.activeMs !== undefined;

/** The budget of one run, from its start. */
export const runBudget = limits.refine(hasLimit, { params: { rule: 'limit' } });
export type RunBudget = z.input<typeof runBudget>;

/** The budget of an API key, over all that it has started on a day or in a month. */
export const keyBudget = limits.extend({ span: z.enum(['day', 'month']).default('month') }).refine(hasLimit, { params: { rule: 'limit' } });

/** The same as it is stored, with what is used of it today, or in this month. */
export const shownKeyBudget = limits.extend({
  id,
  span: z.enum(['day', 'month']),
  used: z.object({ micros: figure, tokens: figure, calls: figure, activeMs: figure }),
});

/** A budget by its place: of one run (`executionId`), of a project, or of the account. The last two hold for each run, day or month. */
export const budgetUpdate = limits
  .extend({
    scope: z.enum(budgetScopes),
    span: z.enum(budgetSpans).default('run'),
    projectId: projectId.optional(),
    executionId: id.optional(),
  })
  .refine(hasLimit, { params: { rule: 'limit' } })
  .refine(({ scope, projectId: project }) => (scope === 'project') === (project !== undefined), {
    path: ['projectId'],
    params: { rule: 'place' },
  })
  .refine(({ scope, executionId }) => (scope === 'run') === (executionId !== undefined), {
    path: ['executionId'],
    params: { rule: 'place' },
  })
  .refine(({ scope, span }) => scope !== 'run' || span === 'run', { path: ['span'], params: { rule: 'place' } });
export type BudgetUpdate = z.input<typeof budgetUpdate>;

const appliedScopes = [...budgetScopes, 'key'] as const;

export const budget = limits.extend({
  id,
  /** `key`: of the API key that has started the run. */
  scope: z.enum(appliedScopes),
  span: z.enum(budgetSpans),
  /** What is used in the named run, or today, or this month; absent where no run is named. Reserved: the worst case of calls under way. */
  used: z
    .object({
      micros: figure,
      tokens: figure,
      calls: figure,
      activeMs: figure,
      reservedMicros: figure,
      reservedTokens: figure,
      /** Of a budget of money: what was spent in other currencies, which it does not limit. */
      otherMoney: z.array(money).optional(),
    })
    .optional(),
  /** What a person has added for this run, day or month. */
  extra: z.object({ micros: figure, tokens: figure, calls: figure, activeMs: figure }).optional(),
  updatedAt: timestamp,
});
export type Budget = z.infer<typeof budget>;

/** With `executionId`: the budgets that apply to this run. Else those of the account and of the project. */
export const budgetQuery = z.object({ projectId: projectId.optional(), executionId: id.optional() });

export const budgets = z.object({
  budgets: z.array(budget),
  /** The currencies of the server's prices: a budget of money has one of them. */
  currencies: z.array(currency),
});
export type Budgets = z.infer<typeof budgets>;

export const forecastRequest = z.object({ projectId, agentIds: z.array(id).min(1).max(maxForecastAgents) });

const range = z.object({ min: figure, max: figure });

/** The least and the most of the latest runs of a team, at most ten. */
export const forecast = z.object({
  runs: z.number().int().min(0).max(10),
  tokens: range,
  activeMs: range,
  /** Of runs with known prices, for each currency. */
  money: z.array(range.extend({ currency })),
  /** What all these runs have cost together: says whether some prices are unknown. */
  total: cost,
  /** True when no run called a real model. */
  simulated: z.boolean(),
});
export type Forecast = z.infer<typeof forecast>;

/** The limit that a call does not fit into: what is used, what the call needs at most, in the unit of its kind. */
export const limitReached = z.object({
  budgetId: id,
  /** `key`: of the API key that has started the run. */
  scope: z.enum(appliedScopes),
  span: z.enum(budgetSpans),
  kind: z.enum(limitKinds),
  limit: figure,
  used: figure,
  needed: figure,
  /** Of a limit of money. */
  currency: currency.nullable(),
  /** The model whose price is not known. */
  model: z.string().optional(),
});
export type LimitReached = z.infer<typeof limitReached>;
