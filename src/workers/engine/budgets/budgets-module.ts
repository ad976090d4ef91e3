import type { Command } from '../../../model/commands.ts';
import { done } from '../../../model/problem.ts';
import { refusal } from '../backends/port.ts';
import type { EngineContext } from '../engine-context.ts';
import type { EngineModule } from '../engine-module.ts';

type BudgetType = Extract<Command['type'], `budget.${string}`>;

/** Sets and removes limits of model calls. They are read on demand: they change with every call. */
export function createBudgetsModule({ backend }: EngineContext): EngineModule<BudgetType> {
  return {
    handlers: {
      'budget.set': async ({ budget }) => {
        const answer = await backend.putBudget(budget);
        return answer.ok ? done : refusal(answer.fault);
      },
      'budget.remove': async ({ id }) => {
        const answer = await backend.removeBudget(id);
        return answer.ok ? done : refusal(answer.fault);
      },
    },
  };
}
