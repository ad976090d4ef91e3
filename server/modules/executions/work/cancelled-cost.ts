import type { Cost } from '../../../../contract/cost.ts';
import type { RunStatement } from '../../../platform/database/prepared-statements.ts';
import { writeStatement } from '../../../platform/database/statement.ts';
import { type SpendRow, storingSpend } from '../../budgets/index.ts';
import type { Claim } from './step-ends.ts';

export type StoreCancelledCost = (claim: Claim, paid: { cost: Cost; spend: readonly SpendRow[] }) => Promise<void>;

/** Stores the cost of a step that was cancelled during its calls. A step that another attempt begins again is counted there. */
export function createStoreCancelledCost(run: RunStatement): StoreCancelledCost {
  return async ({ row, step }, { cost, spend }) => {
    if (spend.length === 0 && cost.amounts.length === 0) return;
    await run(
      writeStatement((place) => {
        const changed = `changed AS (UPDATE execution_steps SET cost = ${place(JSON.stringify(cost))}::jsonb
          WHERE execution_id = ${place(row.id)}::uuid AND step_id = ${place(step.stepId)}::uuid AND status = 'cancelled' RETURNING execution_id AS id)`;
        const stored = spend.length === 0 ? '' : `, stored AS (${storingSpend(spend)('changed', place)})`;
        return `WITH ${changed}${stored} SELECT id FROM changed`;
      }),
    );
  };
}
