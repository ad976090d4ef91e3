import type { CostRange, Fork, ForkedStep } from '../../../../contract/executions/fork.ts';
import { byPlace, type StepRow } from '../store/rows.ts';
import type { ForkRequest } from './forked-pipeline.ts';
import { type Needed, type NeedsDeps, readNeeds } from './needs-of-steps.ts';
import type { PlannedFork } from './plan-of-fork.ts';

const nothing: Needed = { tokens: null, cost: [] };

/** Says what becomes of each step, and what the steps that run may need. The sum of a fork that pauses after its step is what this step needs. */
export async function showFork(
  deps: NeedsDeps,
  planned: PlannedFork,
  { onlyStep, endsThere }: Pick<ForkRequest, 'onlyStep' | 'endsThere'>,
): Promise<Omit<Fork, 'execution'>> {
  const { original, pipeline, earlier, plan } = planned;
  const running = new Set([
    ...plan.runs.flatMap(({ run }) => (run.status === 'pending' ? run.nodeId : [])),
    ...plan.later.map(({ nodeId }) => nodeId),
  ]);
  const needed = await readNeeds(deps, planned, running);
  const needs = (nodeId: string) => needed.get(nodeId) ?? nothing;
  const about = (row: StepRow, place: { round: number; item: number }) => ({
    nodeId: row.nodeId,
    name: row.name,
    round: place.round,
    item: place.item,
    ...(row.kind && { kind: row.kind }),
  });
  const runs = plan.runs.flatMap(({ run, state, reason }): [StepRow, ForkedStep][] => {
    const base = pipeline.bases.get(run.nodeId);
    if (!base) return [];
    const isGone = run.status === 'pending' && base.kind !== 'person' && !pipeline.agents.has(base.agentId);
    const outcome = isGone ? ({ state: 'gone', reason: 'agentRemoved' } as const) : { state, reason };
    return [
      [
        { ...base, round: run.round, item: run.item },
        { stepId: run.nodeId, ...about(base, run), ...outcome, ...(run.status === 'pending' && !isGone ? needs(run.nodeId) : nothing) },
      ],
    ];
  });
  const later = plan.later.map((run): [StepRow, ForkedStep] => {
    const row = earlier.rowOf(run);
    return [row, { stepId: run.nodeId, ...about(row, run), state: 'rerun', reason: 'follows', ...needs(run.nodeId) }];
  });
  const gone = original.steps.flatMap((row): [StepRow, ForkedStep][] =>
    earlier.runOf(row) ? [] : [[row, { stepId: row.stepId, ...about(row, row), state: 'gone', reason: 'removed', ...nothing }]],
  );
  const shown = [...runs, ...later, ...gone].sort(([a], [b]) => byPlace(a, b));
  return {
    steps: shown.map(([, step]) => step),
    ...(onlyStep || endsThere
      ? sumOf(
          runs.filter(([, { reason }]) => reason === 'chosen'),
          [],
        )
      : sumOf(runs, later)),
  };
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
