import { sql } from 'drizzle-orm';
import type { CostRange, Fork, ForkedStep } from '../../../../contract/executions/fork.ts';
import type { Db } from '../../../platform/database/database.ts';
import { byPlace, type ExecutionRow, type StepRow } from '../store/rows.ts';
import type { PlannedFork } from './plan-of-fork.ts';

/** The number of the project's newest runs from which the need of a step is estimated. */
const latestRuns = 10;

type Needed = Pick<ForkedStep, 'tokens' | 'cost' | 'isCostUnknown'>;
const nothing: Needed = { tokens: null, cost: [] };

/** Says what becomes of each step, and what the steps that run may need. */
export async function showFork(db: Db, { original, pipeline, earlier, plan }: PlannedFork): Promise<Omit<Fork, 'execution'>> {
  const used = await readUsed(db, original.row);
  const needs = ({ nodeId, agentId, kind }: StepRow) => (kind === 'person' ? nothing : (used.get(nodeId ?? agentId) ?? nothing));
  const about = (row: StepRow, place: { round: number; item: number }) => ({
    ...{ nodeId: row.nodeId, name: row.name, round: place.round, item: place.item, ...(row.kind && { kind: row.kind }) },
  });
  const planned = plan.runs.flatMap(({ run, state, reason }): [StepRow, ForkedStep][] => {
    const base = pipeline.bases.get(run.nodeId);
    if (!base) return [];
    const isGone = run.status === 'pending' && base.kind !== 'person' && !pipeline.agents.has(base.agentId);
    const outcome = isGone ? ({ state: 'gone', reason: 'agentRemoved' } as const) : { state, reason };
    const needed = run.status === 'pending' ? needs(base) : nothing;
    return [
      [
        { ...base, round: run.round, item: run.item },
        { stepId: run.nodeId, ...about(base, run), ...outcome, ...needed },
      ],
    ];
  });
  const later = plan.later.map((run): [StepRow, ForkedStep] => {
    const row = earlier.rowOf(run);
    return [row, { stepId: run.nodeId, ...about(row, run), state: 'rerun', reason: 'follows', ...needs(row) }];
  });
  const gone = original.steps.flatMap((row): [StepRow, ForkedStep][] =>
    earlier.runOf(row) ? [] : [[row, { stepId: row.stepId, ...about(row, row), state: 'gone', reason: 'removed', ...nothing }]],
  );
  const shown = [...planned, ...later, ...gone].sort(([a], [b]) => byPlace(a, b));
  return { steps: shown.map(([, step]) => step), ...sumOf(planned, later) };
}

/** Other rounds and items may run, or not: they count for the most only. */
function sumOf(certain: readonly [StepRow, ForkedStep][], possible: readonly [StepRow, ForkedStep][]): Omit<Fork, 'execution' | 'steps'> {
  const tokens = { min: 0, max: 0 };
  const cost = new Map<string, CostRange>();
  let isCostUnknown = false;
  for (const [steps, isCertain] of [[certain, true] as const, [possible, false] as const])
    for (const [, step] of steps) {
      if (isCertain) tokens.min += step.tokens?.min ?? 0;
      tokens.max += step.tokens?.max ?? 0;
      isCostUnknown ||= step.isCostUnknown === true;
      for (const { currency, min, max } of step.cost) {
        const sum = cost.get(currency) ?? { currency, min: 0, max: 0 };
        cost.set(currency, { currency, min: sum.min + (isCertain ? min : 0), max: sum.max + max });
      }
    }
  return { tokens, cost: [...cost.values()], ...(isCostUnknown && { isCostUnknown }) };
}

/** Reads what each step needed in the project's newest runs and in the original, by node, or by agent without one. */
async function readUsed(db: Db, row: Pick<ExecutionRow, 'id' | 'userId' | 'projectId'>): Promise<Map<string, Needed>> {
  const here = sql`usage IS NOT NULL AND (execution_id = ${row.id} OR execution_id IN (SELECT id FROM executions
    WHERE user_id = ${row.userId} AND project_id = ${row.projectId} ORDER BY created_at DESC LIMIT ${latestRuns}))`;
  const tokens = await db.execute<{ key: string; min: number; max: number; unknown: boolean | null }>(
    sql`SELECT coalesce(node_id, agent_id::text) AS key, min((usage->>'totalTokens')::integer) AS min, max((usage->>'totalTokens')::integer) AS max,
      bool_or(coalesce((cost->>'isUnknown')::boolean, false)) AS unknown FROM execution_steps WHERE ${here} GROUP BY 1`,
  );
  const costs = await db.execute<{ key: string; currency: string; min: number; max: number }>(
    sql`SELECT coalesce(node_id, agent_id::text) AS key, amount->>'currency' AS currency, min((amount->>'micros')::float8) AS min,
      max((amount->>'micros')::float8) AS max FROM execution_steps, jsonb_array_elements(cost->'amounts') AS amount WHERE ${here} GROUP BY 1, 2`,
  );
  const ofKey = Map.groupBy(costs.rows, ({ key }) => key);
  return new Map(
    tokens.rows.map(({ key, min, max, unknown }) => {
      const cost = (ofKey.get(key) ?? []).map((one) => ({ currency: one.currency, min: one.min, max: one.max }));
      return [key, { tokens: { min, max }, cost, ...(unknown && { isCostUnknown: true as const }) }];
    }),
  );
}
