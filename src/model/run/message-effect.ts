import type { CanvasNode } from '../../../contract/canvas.ts';
import type { RunState } from '../workspace-state.ts';

/**
 * What happens to a dialog's message that is sent now. `start`: it starts a run. `addition`: the later steps of the active run read it.
 * `followUp`: its target is in the active run and no step is left, so a run of the target follows. `queue`: its target is not in the
 * active run, so the dialog's own run follows. `wait`: the active run is just starting. R41
 */
type MessageEffect = 'start' | 'addition' | 'followUp' | 'queue' | 'wait';

/** `target` is the agent that receives the dialog's message. */
export function messageEffect(
  run: Pick<RunState, 'phase' | 'execution' | 'steps'>,
  dialogId: string,
  target: Pick<CanvasNode, 'id' | 'serverAgentId'> | null,
): MessageEffect {
  const { phase, execution, steps } = run;
  if (phase === 'stopped') return 'start';
  if (phase === 'stopping') return 'queue';
  if (!execution || steps.length === 0) return 'wait';
  const takesPart =
    execution.dialogNodeId === dialogId ||
    (target !== null && steps.some(({ nodeId, agentId }) => nodeId === target.id || agentId === target.serverAgentId));
  if (!takesPart) return 'queue';
  return steps.some(({ status }) => status === 'pending') ? 'addition' : 'followUp';
}
