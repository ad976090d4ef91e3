import type { Execution } from '../../../../contract/execution.ts';
import type { RunHolds } from '../../../../contract/question.ts';
import { chainOf } from '../../../../rules/run-graph/run-graph-of.ts';
import { ApiError } from '../../../http/api-error.ts';
import type { Language } from '../../../http/call.ts';
import { translate } from '../../../http/language.ts';
import { type ExecutionRow, toExecution } from '../store/rows.ts';
import type { RunTransition } from '../work/transition.ts';

/** The most links that one run can hold or release by name. */
const maxLinks = 1_000;

/**
 * Sets which links of a run hold. It applies to answers that come later. A run without a graph gets that of its steps, one after another.
 * Throws `not_found`, `illegal_state` for an ended run, and `bad_request` for too many links.
 */
export async function setHolds(
  transition: RunTransition,
  { userId, id, language }: { userId: string; id: string; language: Language },
  holds: RunHolds,
): Promise<Execution> {
  const links = Object.entries(holds.links);
  if (links.length > maxLinks) {
    const message = translate(language, 'invalid.max_entries', { limit: maxLinks });
    throw new ApiError('bad_request', { errors: [{ path: 'links', message }] });
  }
  const done = await transition({ id, userId }, async (it) => {
    const { status, graph } = it.row;
    if (status !== 'pending' && status !== 'running' && status !== 'paused') throw new ApiError('illegal_state', { details: { status } });
    const isSet = holds.all || links.length > 0;
    if (!isSet && it.row.holds === null) return;
    if (!graph && isSet) {
      const steps = (await it.steps()).map(({ stepId, nodeId }) => ({ id: stepId, nodeId }));
      it.set({ graph: chainOf(steps, linkIdsOf(it.row)) });
    }
    it.set({ holds: isSet ? holds : null });
    it.record('holds.changed', { holds });
  });
  if (!done) throw new ApiError('not_found');
  return toExecution(done.row);
}

/** Finds the link of the canvas between two nodes, among those that the run was started with. */
function linkIdsOf({ input }: ExecutionRow): (from: string | null, to: string | null) => string | undefined {
  const ids = new Map<string, string>();
  for (const link of input.connections ?? []) {
    const { id, from, to } = link as { id?: unknown; from?: { agentId?: unknown }; to?: { agentId?: unknown } };
    if (typeof id === 'string' && id !== '') ids.set(JSON.stringify([from?.agentId, to?.agentId]), id);
  }
  return (from, to) => ids.get(JSON.stringify([from, to]));
}
