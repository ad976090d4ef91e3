import type { TokenUsage } from '../../../contract/common.ts';
import type { Cost } from '../../../contract/cost.ts';
import { addCosts } from '../../../rules/cost/cost-of.ts';
import type { Db } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/drizzle.ts';
import { runIn } from '../../platform/database/prepared-statements.ts';
import { loseCalls } from './recount-calls.ts';

/**
 * Returns what the stored calls of a step have used and cost, also those of attempts that were cut off. What such an attempt has not settled counts
 * by its prompt, and is marked. Null without any.
 */
export async function collectSpent(
  tx: Db,
  { executionId, stepId }: { executionId: string; stepId: string },
): Promise<{ usage: TokenUsage; cost: Cost } | null> {
  const ofStep = sql`execution_id = ${executionId}::uuid AND step_id = ${stepId}::uuid`;
  await loseCalls(runIn(tx), (place) => `s.execution_id = ${place(executionId)}::uuid AND s.step_id = ${place(stepId)}::uuid`);
  const { rows } = await tx.execute<SpentRow>(sql`
    SELECT currency, micros, prompt_tokens AS "promptTokens", completion_tokens AS "completionTokens", state FROM spend WHERE ${ofStep}`);
  if (rows.length === 0) return null;
  const promptTokens = rows.reduce((sum, row) => sum + row.promptTokens, 0);
  const completionTokens = rows.reduce((sum, row) => sum + row.completionTokens, 0);
  return {
    usage: { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens },
    cost: addCosts(
      rows.map(({ currency, micros, state }) => ({
        amounts: currency !== null && Number(micros) > 0 ? [{ currency, micros: Number(micros) }] : [],
        ...(micros === null && { isUnknown: true as const }),
        ...(state !== 'settled' && { isEstimated: true as const }),
      })),
    ),
  };
}

type SpentRow = { currency: string | null; micros: string | null; promptTokens: number; completionTokens: number; state: string };
