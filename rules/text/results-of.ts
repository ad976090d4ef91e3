import { maxContextLength, type StepRun } from '../../contract/executions/execution.ts';

type EndedRun = { initialTask: string; steps: readonly Pick<StepRun, 'name' | 'orderIndex' | 'result'>[] };

/**
 * Formats the task and the step results of a run, in order, for the run that follows it (Markdown). The server makes the same text, and so knows
 * whose results it is given.
 */
export function resultsOf({ initialTask, steps }: EndedRun): string {
  const done = steps.filter(({ result }) => result?.trim()).toSorted((a, b) => a.orderIndex - b.orderIndex);
  const parts = [`# ${initialTask}`, ...done.map(({ name, result }) => `## ${name}\n\n${result}`)];
  return parts.join('\n\n').slice(0, maxContextLength).trim();
}
