import { useCallback } from 'react';
import { isDialog, isStart } from '../../../../rules/card.ts';
import { openDialog } from '../../../canvas/overlay/dialog/open-dialog.ts';
import { useStore } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../frame/panels.tsx';
import { useWorkspaceContext } from '../frame/workspace-context.ts';

/**
 * Returns the function that opens a card: the text box of a dialog, the settings of an agent, a user's card or a start node. A user's card that
 * asks in the shown run opens its question.
 */
export function useOpenNode(): (nodeId: string) => void {
  const store = useStore();
  const { view, readOnly } = useWorkspaceContext();
  const { show } = usePanels();
  return useCallback(
    (nodeId) => {
      const { document: canvas, agents, questions, run } = store.getState();
      const node = canvas.nodes[nodeId];
      const element = document.querySelector<HTMLElement>('[data-testid="canvas"]');
      if (isDialog(node) && element) openDialog(element, node, view);
      else if (isStart(node) && !readOnly) show({ window: { kind: 'startNode', nodeId } });
      else if (node?.isUser && !readOnly) {
        // The oldest of several, as the badge of the card opens it.
        const asked = questions.items.findLast((question) => question.executionId === run.execution?.id && question.nodeId === nodeId);
        show({ window: asked ? { kind: 'questions', questionId: asked.id } : { kind: 'person', nodeId } });
      } else if (node?.serverAgentId && agents.byId[node.serverAgentId]) show({ settingsAgentId: node.serverAgentId });
    },
    [store, view, show, readOnly],
  );
}
