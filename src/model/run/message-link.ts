import type { CanvasDocument, Connection } from '../../../contract/canvas.ts';
import type { ConsoleMessage, RunState } from '../workspace-state.ts';

/**
 * Returns the link on the canvas that a message of a run travelled along: from the node of its sender to the next node, or from the
 * dialog to the first. Null where there is no such link.
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
  const to = isTask ? steps[0]?.nodeId : at < 0 || message.isUser ? null : steps[at + 1]?.nodeId;
  if (!from || !to) return null;
  return Object.values(document.connections).find((link) => link.from.agentId === from && link.to.agentId === to) ?? null;
}
