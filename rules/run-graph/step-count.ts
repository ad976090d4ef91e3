import type { StepStatus } from './run-state.ts';

type StepCount = { total: number; done: number };

/** How many steps a run has, and how many of them have a result, as every place counts them. Skipped steps take no part. */
export function stepCount(steps: Iterable<{ status: StepStatus }>): StepCount {
  const count = { total: 0, done: 0 };
  for (const { status } of steps) {
    if (status !== 'skipped') count.total += 1;
    if (hasResult(status)) count.done += 1;
  }
  return count;
}

/** Returns whether a run of a step has a result to pass on. */
export function hasResult(status: StepStatus): boolean {
  return status === 'completed' || status === 'reused';
}
