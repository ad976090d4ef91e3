import type { CanvasDocument, Connection } from '../../../contract/canvas.ts';
import type { StepRun } from '../../../contract/executions/execution.ts';
import type { ConsoleMessage, RunState } from '../workspace-state.ts';

/**
 * Returns the link on the canvas that a message of a run travelled along. It leads from the node of the sender to the next node, or from
 * the dialog to the first. Null where there is no such link.
 */
export function messageLink(
  message: Pick<ConsoleMessage, 'isUser' | 'executionId' | 'stepId' | 'toAgentTitle' | 'type'>,
  { execution, steps }: Pick<RunState, 'execution' | 'steps'>,
  document: CanvasDocument,
): Connection | null {
  if (message.type !== 'message' || message.executionId === null || message.executionId !== execution?.id) return null;
  const at = steps.findIndex(({ stepId }) => stepId === message.stepId);
  const isTask = message.isUser && message.toAgentTitle !== null;
  const from = isTask ? execution.dialogNodeId : (steps[at]?.nodeId ?? null);
  if (!from || (!isTask && (at < 0 || message.isUser))) return null;
  const leaving = new Map(
    Object.values(document.connections)
      .filter((link) => link.from.agentId === from)
      .map((link) => [link.to.agentId, link]),
  );
  const linked = (step: StepRun) => (step.nodeId === null ? undefined : leaving.get(step.nodeId));
  if (isTask) return (steps[0] && linked(steps[0])) ?? null;
  const next = steps.slice(at + 1).find((step) => step.nodeId !== from && linked(step));
  return (next && linked(next)) ?? null;
}
