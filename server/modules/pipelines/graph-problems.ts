import { setImmediate as nextTurn } from 'node:timers/promises';
import { compileRunGraph } from '../../../rules/run-graph/compile-run-graph.ts';
import { manySteps } from '../../../rules/run-graph/many-steps.ts';
import type { RunGraph } from '../../../rules/run-graph/run-graph.ts';
import { type GraphParts, runGraphOf } from '../../../rules/run-graph/run-graph-of.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Language } from '../../http/call.ts';
import { problemText } from './problem-text.ts';

type CheckedGraph = Omit<GraphParts, 'steps'> & { steps: readonly (GraphParts['steps'][number] & { name: string })[] };
type NamedStep = { id: string; name: string; nodeId: string | null };
type GraphFinding = { code: string; params: Record<string, string | number>; nodeId: string | null };

/** Why the graph of a pipeline cannot run: each reason with the names of its steps, and the node of the first. Empty without a graph. */
export function graphProblems(pipeline: CheckedGraph): GraphFinding[] {
  const missing = missingEnds(pipeline);
  if (missing.length > 0) return missing;
  const graph = runGraphOf(pipeline);
  return graph ? findingsOf(graph, pipeline.steps) : [];
}

function findingsOf(graph: RunGraph, named: readonly NamedStep[]): GraphFinding[] {
  const checked = compileRunGraph(graph);
  if (checked.ok) return [];
  const steps = new Map(named.map((step) => [step.id, step]));
  const nameOf = (id: string) => steps.get(id)?.name ?? id;
  const linksOf = (ids: readonly string[]) =>
    graph.links.flatMap(({ id, from, to }) => (ids.includes(id) ? `${nameOf(from)} → ${nameOf(to)}` : [])).slice(0, namedSteps);
  return checked.problems.map(({ code, params, nodeIds, linkIds }) => ({
    code,
    params: {
      ...params,
      steps: nodeIds.slice(0, namedSteps).map(nameOf).join(', '),
      ...(code === 'graph.twoEntries' && { links: linksOf(linkIds).join(', ') }),
    },
    nodeId: steps.get(nodeIds[0] ?? '')?.nodeId ?? null,
  }));
}

/** Steps or links that one problem names. */
const namedSteps = 5;

function missingEnds({ steps, links }: CheckedGraph): GraphFinding[] {
  const known = new Set(steps.map(({ nodeId }) => nodeId));
  return (links ?? []).flatMap(({ id, from, to }) => {
    const missing = [from, to].filter((end) => !known.has(end));
    return missing.length === 0 ? [] : [{ code: 'graph.linkEndMissing', params: { link: id, steps: missing.join(', ') }, nodeId: null }];
  });
}

/** Problems that one refusal lists. */
const listedProblems = 20;

/** Throws `bad_request` with the reasons why a pipeline's graph cannot run. */
export function refuseBrokenGraph(pipeline: CheckedGraph, language: Language): Promise<void> {
  return inOwnTurn(pipeline.steps, () => refuse(graphProblems(pipeline), language));
}

/** The same of the graph that an execution would follow. */
export function refuseBrokenRunGraph(graph: RunGraph, steps: readonly NamedStep[], language: Language): Promise<void> {
  return inOwnTurn(steps, () => refuse(findingsOf(graph, steps), language));
}

/** A check of many steps takes a tenth of a second. What is before it and behind it takes as long, and other calls come between them. */
async function inOwnTurn(steps: readonly NamedStep[], check: () => void): Promise<void> {
  if (steps.length < manySteps) return check();
  await nextTurn();
  check();
  await nextTurn();
}

function refuse(problems: readonly GraphFinding[], language: Language): void {
  if (problems.length === 0) return;
  const errors = problems
    .slice(0, listedProblems)
    .map(({ code, params }) => ({ path: 'links', message: problemText(language, code, params) }));
  throw new ApiError('bad_request', { errors });
}
