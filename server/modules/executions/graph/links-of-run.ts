import type { ExecutionLink } from '../../../../contract/executions/execution.ts';
import { compileRunGraph } from '../../../../rules/run-graph/compile-run-graph.ts';
import { FollowedRun } from '../../../../rules/run-graph/followed-run.ts';
import type { RunGraph } from '../../../../rules/run-graph/run-graph.ts';
import type { StepState } from '../../../../rules/run-graph/run-state.ts';
import type { ThreadTask } from '../../../platform/processes/compute-thread.ts';

/** A run as the database tells it: its graph and its steps as JSON. */
type RunTexts = { graph: string; steps: string; hasEnded: boolean };

/** Returns the links that a run follows with their states, as JSON. A task of `ComputeThread`: only texts go to the thread and back. */
export function linksOfRun({ graph, steps, hasEnded }: RunTexts): string {
  const made = compileRunGraph(JSON.parse(graph) as RunGraph);
  if (!made.ok) throw new Error(`The graph of a run is broken: ${made.problems[0]?.code}`);
  const run = new FollowedRun(made.compiled, JSON.parse(steps) as StepState[]);
  run.end(hasEnded);
  const states = run.states();
  const links: ExecutionLink[] = made.compiled.graph.links.map(({ id, from, to }, at) => ({
    id,
    from,
    to,
    state: states[at] ?? 'pending',
  }));
  return JSON.stringify(links);
}

export const linksTask: ThreadTask<RunTexts, string> = {
  module: new URL('./links-of-run.ts', import.meta.url),
  name: 'linksOfRun',
  compute: linksOfRun,
};
