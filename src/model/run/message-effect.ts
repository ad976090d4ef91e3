import type { CanvasNode } from '../../../contract/canvas.ts';
import type { RunState } from '../workspace-state.ts';

/**
 * What sending a dialog's message does now. `start`: it starts a run. `addition`: the later steps of the run under way read it.
 * `followUp`: its target takes part in that run and no step is still to come, so it starts a run of the target after it. `queue`: its
 * target takes no part, so the dialog's own run starts after it. `wait`: the run under way is just starting. R41
 */
export type MessageEffect = 'start' | 'addition' | 'followUp' | 'queue' | 'wait';

/** `target` is the agent that the dialog's message is for. */
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
