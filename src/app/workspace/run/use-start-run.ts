import { useCallback } from 'react';
import { useDispatch, useStore } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../panels.tsx';
import { useSurroundings } from '../workspace-context.ts';
import { startChoice } from './start-choice.ts';

/** Starts a run the way the canvas says, and asks what it does not say. R24.01 */
export function useStartRun(): () => void {
  const dispatch = useDispatch();
  const store = useStore();
  const { view } = useSurroundings();
  const { show } = usePanels();
  return useCallback(() => {
    const choice = startChoice(store.getState().document.nodes, view.moment.selectedNodes, () => '');
    switch (choice.kind) {
      case 'noAgents':
        // The engine answers with the sentence for it, in a notice.
        void dispatch({ type: 'run.start' });
        return;
      case 'run':
        void dispatch({ type: 'run.start', dialogNodeId: choice.dialogNodeId, task: choice.task });
        return;
      case 'askTask':
        show({ startQuestion: { kind: 'task', dialogNodeId: choice.dialogNodeId } });
        return;
      case 'chooseDialog':
        show({ startQuestion: { kind: 'dialog', dialogNodeIds: choice.dialogs.map((node) => node.id) } });
    }
  }, [dispatch, store, view, show]);
}
