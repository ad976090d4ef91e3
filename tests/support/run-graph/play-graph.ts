import { compileRunGraph, type GraphProblem } from '../../../rules/run-graph/compile-run-graph.ts';
import type { CompiledGraph, RunGraph, RunLink, RunNode } from '../../../rules/run-graph/run-graph.ts';
import { driveRun } from './drive-run.ts';
import type { Outcome } from './random-run.ts';

/** A graph in short: links as `from>to`, whose names are their ids, and steps in the order in which links name them. */
export type ShortGraph = {
  links: (string | [ends: string, settings: Partial<RunLink>])[];
  steps?: Record<string, Partial<RunNode>>;
  groups?: RunGraph['groups'];
};

function graphOf({ links, steps = {}, groups = [] }: ShortGraph): RunGraph {
  const made = links.map((link): RunLink => {
    const [ends, settings] = typeof link === 'string' ? [link, {}] : link;
    const [from = '', to = ''] = ends.split('>');
    return { id: ends, from, to, ...settings };
  });
  const ids = new Set([...made.flatMap(({ from, to }) => [from, to]), ...Object.keys(steps)]);
  return { nodes: [...ids].map((id) => ({ id, ...steps[id] })), links: made, groups, maxParallel: 4 };
}

export function problemsOf(graph: ShortGraph): GraphProblem[] {
  const checked = compileRunGraph(graphOf(graph));
  return checked.ok ? [] : checked.problems;
}

export function compiled(graph: ShortGraph): CompiledGraph {
  const checked = compileRunGraph(graphOf(graph));
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return checked.compiled;
}

/** Returns the name of a step's run: `step`, `step@round`, `step#item` or `step@round#item`. */
export function shortName(nodeId: string, round: number, item: number): string {
  return `${nodeId}${round > 0 ? `@${round}` : ''}${item > 0 ? `#${item}` : ''}`;
}

/**
 * Plays a run to its end. Outcomes are named by the run of a step, else by the step; a step without an outcome completes. `order` and
 * `maxParallel` decide what happens first.
 */
export function playGraph(
  graph: ShortGraph,
  outcomes: Record<string, Partial<Outcome>> = {},
  { order = '', maxParallel = 4, maxRuns = 10_000, task = '' } = {},
) {
  const outcomeOf = (nodeId: string, round: number, item: number): Outcome => ({
    ...{ status: 'completed', choice: null, result: '' },
    ...(outcomes[shortName(nodeId, round, item)] ?? outcomes[nodeId]),
  });
  const driven = driveRun({ compiled: compiled(graph), task, outcomeOf, order, maxParallel, maxRuns });
  const short = (key: string) => {
    const [nodeId = '', , round, , item] = key.split(' ');
    return shortName(nodeId, Number(round), Number(item));
  };
  const inputs = [...driven.inputs].map(([key, results]) => [short(key), results.map((runs) => runs.map(short).join(' '))] as const);
  return {
    failure: driven.failure,
    statuses: Object.fromEntries(driven.steps.map(({ nodeId, round, item, status }) => [shortName(nodeId, round, item), status])),
    inputs: Object.fromEntries(inputs),
    items: Object.fromEntries([...driven.items].map(([key, text]) => [short(key), text])),
    begun: driven.begun.map(short),
  };
}
