import type { Handlers } from '../../http/call.ts';
import type { Budgets } from './service.ts';

type BudgetHandlers = Pick<Handlers, Extract<keyof Handlers, `budget.${string}`>>;

export function budgetHandlers(budgets: Budgets): BudgetHandlers {
  return {
    'budget.list': ({ user, query }) => budgets.list(user.ownerId, query),
    'budget.put': ({ user, body, language }) => budgets.put(user.ownerId, body, language),
    'budget.remove': ({ user, params }) => budgets.remove(user.ownerId, params.id),
    'budget.forecast': ({ user, body }) => budgets.forecast(user.ownerId, body),
  };
}
