import { useCallback } from 'react';
import type { DialogDrafts } from '../../../canvas/overlay/dialog-drafts.ts';
import type { Dispatch } from '../../../model/commands.ts';
import { useDispatch, useStore } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../panels.tsx';
import { useSurroundings } from '../workspace-context.ts';
import { startChoice } from './start-choice.ts';

/** Starts a run the way the canvas says, and asks what it does not say. R24.01 */
export function useStartRun(): () => void {
  const dispatch = useDispatch();
  const store = useStore();
  const { view, drafts } = useSurroundings();
  const { show } = usePanels();
  return useCallback(() => {
    const choice = startChoice(store.getState().document.nodes, view.moment.selectedNodes, (id) => drafts.read(id));
    switch (choice.kind) {
      case 'noAgents':
        // The engine answers with the sentence for it, in a notice.
        void dispatch({ type: 'run.start' });
        return;
      case 'run':
        void startDialog(dispatch, drafts, choice.dialogNodeId, choice.task);
        return;
      case 'askTask':
        show({ startQuestion: { kind: 'task', dialogNodeId: choice.dialogNodeId } });
        return;
      case 'chooseDialog':
        show({ startQuestion: { kind: 'dialog', dialogNodeIds: choice.dialogs.map((node) => node.id) } });
    }
  }, [dispatch, store, view, drafts, show]);
}

/** Starts a dialog's run, and clears its text box when the task came from there and was accepted. */
export async function startDialog(dispatch: Dispatch, drafts: DialogDrafts, dialogNodeId: string, task: string): Promise<void> {
  const written = drafts.read(dialogNodeId);
  const outcome = await dispatch({ type: 'run.start', dialogNodeId, task });
  if (outcome.ok && written.trim() === task) drafts.sent(dialogNodeId, written);
}
