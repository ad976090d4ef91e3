import type { Budget } from '../budget.ts';
import type { OperationDocs } from './operation.ts';
import { sampleIds, sampleTimes } from './samples.ts';

const sampleBudget: Budget = {
  id: sampleIds.budget,
  scope: 'project',
  span: 'day',
  money: { currency: 'USD', micros: 5_000_000 },
  tokens: 2_000_000,
  atLimit: 'ask',
  warnAt: 80,
  updatedAt: sampleTimes.created,
  used: { micros: 1_240_000, tokens: 310_000, calls: 42, activeMs: 185_000, reservedMicros: 30_000, reservedTokens: 6_000 },
  extra: { micros: 0, tokens: 0, calls: 0, activeMs: 0 },
};
const range = { min: 210_000, max: 480_000 };

export const budgetOperations: OperationDocs<'budget'> = {
  'budget.list': {
    summary: 'List budgets',
    description:
      'Returns the budgets of the account and of the project `projectId`, with what is used today and this month. With `executionId` it returns those that apply to this run. Amounts are in millionths of the currency.',
    example: { query: { projectId: sampleIds.project }, response: { budgets: [sampleBudget], currencies: ['RUB', 'USD'] } },
  },
  'budget.put': {
    summary: 'Set a budget',
    description:
      'Limits the model calls of a run, a project or the account, for each run, a day or a month (UTC). It replaces the budget of the same place. A call is made only if it fits with the most that it can use.',
    example: {
      body: {
        scope: 'project',
        span: 'day',
        projectId: sampleIds.project,
        money: { currency: 'USD', micros: 5_000_000 },
        tokens: 2_000_000,
      },
      response: sampleBudget,
    },
  },
  'budget.remove': {
    summary: 'Remove a budget',
    description: 'Removes a budget of the caller. Calls that were made keep their cost.',
    example: { params: { id: sampleIds.budget } },
  },
  'budget.forecast': {
    summary: 'Forecast a run',
    description:
      'Returns the least and the most that the latest ten completed runs of a team have used. A team is a set of agents in a project; persons are not part of it. Forks, and runs that a budget has ended, do not count.',
    example: {
      body: { projectId: sampleIds.project, agentIds: [sampleIds.agent, sampleIds.otherAgent] },
      response: {
        runs: 4,
        tokens: { min: 18_000, max: 41_000 },
        activeMs: { min: 32_000, max: 75_000 },
        simulated: false,
        money: [{ currency: 'USD', ...range }],
        total: { amounts: [{ currency: 'USD', micros: 1_310_000 }] },
      },
    },
  },
};
