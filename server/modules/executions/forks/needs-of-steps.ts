import type { ForkedStep } from '../../../../contract/executions/fork.ts';
import type { Price } from '../../../../rules/cost/cost-of.ts';
import type { Db } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/drizzle.ts';
import type { Models } from '../../../platform/llm/choose-model.ts';
import type { PriceList } from '../../../platform/prices/price-list.ts';
import type { ExecutionRow, StepRow } from '../store/rows.ts';
import type { PlannedFork } from './plan-of-fork.ts';
import { withTriedModel } from './tried-model.ts';

/** The number of the project's newest runs from which the need of a step is estimated. */
const latestRuns = 10;

export type NeedsDeps = { db: Db; models: Models; prices: Pick<PriceList, 'find'>; now: () => Date };
export type Needed = Pick<ForkedStep, 'tokens' | 'cost' | 'isCostUnknown'>;

/**
 * Returns what steps of a fork may need, by their ids. Tokens are those that the step's card needed in the project's newest runs and in the
 * original. They cost what the model of now costs now. The cost of a step that never ran is unknown, as is that of a model without a price.
 */
export async function readNeeds(
  deps: NeedsDeps,
  { original: { row }, pipeline: { bases, agents } }: PlannedFork,
  running: ReadonlySet<string>,
): Promise<Map<string, Needed>> {
  const { models, prices, now } = deps;
  const at = now();
  const priceOf = (base: StepRow): Price | 'free' | null => {
    const agent = agents.get(base.agentId);
    const chosen = agent && models.choose(withTriedModel(agent, base.triedModel), row.userId);
    if (!chosen?.ok) return null;
    return chosen.value.simulated ? 'free' : prices.find(chosen.value, at);
  };
  const asked = [...bases.values()]
    .filter(({ stepId, kind }) => running.has(stepId) && kind !== 'person')
    .map((base) => ({ stepId: base.stepId, key: base.nodeId ?? base.agentId, price: priceOf(base) }));
  const used = await readUsed(deps.db, row, asked);
  return new Map(
    asked.map(({ stepId, price }): [string, Needed] => {
      const found = used.get(stepId);
      const tokens = found ? { min: found.minTokens, max: found.maxTokens } : null;
      if (price === 'free') return [stepId, { tokens, cost: [] }];
      if (price === null || !found) return [stepId, { tokens, cost: [], isCostUnknown: true }];
      const { minMicros: min, maxMicros: max } = found;
      return [stepId, { tokens, cost: max === 0 ? [] : [{ currency: price.currency, min, max }] }];
    }),
  );
}

type StepPrice = { stepId: string; key: string; price: Price | 'free' | null };
type Used = { stepId: string; minTokens: number; maxTokens: number; minMicros: number; maxMicros: number };

/**
 * Reads the tokens of each card in the project's newest runs and in the original, by node, or by agent without one, and prices them. A step is stored as
 * the sum of its calls: one whose prompts are together longer than a step of the price may have had a call that costs more, and need not.
 */
async function readUsed(
  db: Db,
  row: Pick<ExecutionRow, 'id' | 'userId' | 'projectId'>,
  asked: readonly StepPrice[],
): Promise<Map<string, Used>> {
  if (asked.length === 0) return new Map();
  const priced = asked.flatMap(({ stepId, key, price }) => {
    const { steps = [], ...base } = typeof price === 'object' && price !== null ? price : {};
    return [{ above: -1, ...base }, ...steps].map((rates) => ({ id: stepId, key, ...rates }));
  });
  const { rows } = await db.execute<Used>(sql`
    WITH used AS (SELECT coalesce(node_id, agent_id::text) AS key, (usage->>'totalTokens')::integer AS total,
        (usage->>'promptTokens')::float8 AS prompt, (usage->>'completionTokens')::float8 AS completion,
        least(coalesce((usage->>'cachedTokens')::float8, 0), (usage->>'promptTokens')::float8) AS cached,
        least(coalesce((usage->>'cacheWriteTokens')::float8, 0), (usage->>'promptTokens')::float8
          - least(coalesce((usage->>'cachedTokens')::float8, 0), (usage->>'promptTokens')::float8)) AS written,
        least(coalesce((usage->>'reasoningTokens')::float8, 0), (usage->>'completionTokens')::float8) AS reasoning
      FROM execution_steps WHERE usage IS NOT NULL AND (execution_id = ${row.id} OR execution_id IN (SELECT id FROM executions
        WHERE user_id = ${row.userId} AND project_id = ${row.projectId} ORDER BY created_at DESC LIMIT ${latestRuns}))),
    priced AS (SELECT asked.id, used.total, least(${Number.MAX_SAFE_INTEGER}::float8, ceil(((used.prompt - used.cached - used.written) * asked.input
        + used.cached * asked."cachedInput" + used.written * coalesce(asked."cacheWrite", asked.input) + (used.completion - used.reasoning) * asked.output + used.reasoning * asked.reasoning) / 1e6)) AS micros
      FROM jsonb_to_recordset(${JSON.stringify(priced)}::jsonb)
        AS asked (id text, key text, above float8, input float8, "cachedInput" float8, "cacheWrite" float8, output float8, reasoning float8)
        JOIN used ON used.key = asked.key AND used.prompt > asked.above)
    SELECT id AS "stepId", min(total) AS "minTokens", max(total) AS "maxTokens", coalesce(min(micros), 0) AS "minMicros",
      coalesce(max(micros), 0) AS "maxMicros" FROM priced GROUP BY id`);
  return new Map(rows.map((one) => [one.stepId, one]));
}
