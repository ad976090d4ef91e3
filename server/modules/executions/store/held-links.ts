import type { RunHolds } from '../../../../contract/executions/question.ts';
import type { RunGraph } from '../../../../rules/run-graph/run-graph.ts';
import { chainOf } from '../../../../rules/run-graph/run-graph-of.ts';
import { ApiError } from '../../../http/api-error.ts';
import type { Language } from '../../../http/call.ts';
import { translate } from '../../../http/language.ts';
import type { ExecutionRow, StepRow } from './rows.ts';

/** The most links that one run can hold or release by name. */
const maxLinks = 1_000;

/** Throws `bad_request` for holds of too many links. `path` is the field of the request. */
export function refuseTooManyHolds({ links }: RunHolds, path: string, language: Language): void {
  if (Object.keys(links).length <= maxLinks) return;
  throw new ApiError('bad_request', { errors: [{ path, message: translate(language, 'invalid.max_entries', { limit: maxLinks }) }] });
}

/** Tells whether the holds differ from those of the links themselves. */
export function isHolding({ all, links }: RunHolds): boolean {
  return all || Object.keys(links).length > 0;
}

/** Returns the graph of a run whose steps are carried out one after another. Its links have the ids that they have on the canvas. */
export function chainGraphOf(steps: readonly Pick<StepRow, 'stepId' | 'nodeId'>[], input: ExecutionRow['input']): RunGraph {
  return chainOf(
    steps.map(({ stepId, nodeId }) => ({ id: stepId, nodeId })),
    linkIdsOf(input),
  );
}

/** Finds the link of the canvas between two nodes, among those that the run was started with. */
function linkIdsOf(input: ExecutionRow['input']): (from: string | null, to: string | null) => string | undefined {
  const ids = new Map<string, string>();
  for (const link of input.connections ?? []) {
    const { id, from, to } = link as { id?: unknown; from?: { agentId?: unknown }; to?: { agentId?: unknown } };
    if (typeof id === 'string' && id !== '') ids.set(JSON.stringify([from?.agentId, to?.agentId]), id);
  }
  return (from, to) => ids.get(JSON.stringify([from, to]));
}
