import type { Execution } from '../../../../contract/executions/execution.ts';
import type { RunHolds } from '../../../../contract/executions/question.ts';
import { ApiError } from '../../../http/api-error.ts';
import type { Language } from '../../../http/call.ts';
import type { OwnerId } from '../../../platform/owner-id.ts';
import { chainGraphOf, isHolding, refuseTooManyHolds } from '../store/held-links.ts';
import { toExecution } from '../store/rows.ts';
import type { RunTransition } from '../transitions/transitions.ts';

/**
 * Sets which links of a run hold. It applies to answers that come later. A run without a graph gets that of its steps, one after another.
 * Throws `not_found`, `illegal_state` for an ended run, and `bad_request` for too many links.
 */
export async function setHolds(
  transition: RunTransition,
  { userId, id, language }: { userId: OwnerId; id: string; language: Language },
  holds: RunHolds,
): Promise<Execution> {
  refuseTooManyHolds(holds, 'links', language);
  const done = await transition({ id, userId }, async (it) => {
    const { status, graph } = it.row;
    if (status !== 'pending' && status !== 'running' && status !== 'paused') throw new ApiError('illegal_state', { details: { status } });
    const isSet = isHolding(holds);
    if (!isSet && it.row.holds === null) return;
    if (!graph && isSet) it.set({ graph: chainGraphOf(await it.steps(), it.row.input) });
    it.set({ holds: isSet ? holds : null });
    it.record('holds.changed', { holds });
  });
  if (!done) throw new ApiError('not_found');
  return toExecution(done.row);
}
