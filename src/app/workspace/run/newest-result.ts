import type { StepRun } from '../../../../contract/executions/execution.ts';

/** Returns the step that has completed last with a result, and that result; null before any. */
export function newestResult(steps: readonly StepRun[]): { name: string; result: string } | null {
  let newest: StepRun | null = null;
  for (const step of steps)
    if (step.status === 'completed' && step.result && (newest === null || (step.completedAt ?? '') >= (newest.completedAt ?? '')))
      newest = step;
  return newest?.result ? { name: newest.name, result: newest.result } : null;
}
