import type { CanvasView } from '../../../canvas/canvas-view.ts';
import { allGroups, groupsToFold, toggleFolds } from '../../../canvas/folding/fold-changes.ts';
import { foldedStore } from '../../../canvas/folding/folded-store.ts';
import type { WorkspaceStore } from '../../../model/workspace-store.ts';
import { fitAll, fitSelection, zoomStep, zoomToActualSize } from '../camera/move-camera.ts';
import type { ActionHandler } from './action-handler.ts';

type ViewAction = 'fold' | 'foldAll' | 'fit' | 'zoomToSelection' | 'actualSize' | 'zoomIn' | 'zoomOut' | 'showSource' | 'showTarget';

type ViewParts = { store: WorkspaceStore; view: CanvasView; showNode: (nodeId: string) => void };

/** The actions on what the view shows: the camera, and which groups are folded. */
export function viewActions({ store, view, showNode }: ViewParts): Record<ViewAction, ActionHandler> {
  const nodes = () => store.getState().document.nodes;
  const shown = () => foldedStore(store, view).getState().document;
  const toggle = (groups: ReadonlySet<string>) => view.update({ folded: toggleFolds(view.ephemeral.folded, groups) });
  const chosenGroups = () => groupsToFold(nodes(), view.ephemeral.selectedNodes);
  const link = () => {
    const { selectedNodes, selectedLinks } = view.ephemeral;
    return selectedLinks.size === 1 && selectedNodes.size === 0
      ? store.getState().document.connections[[...selectedLinks][0] ?? '']
      : undefined;
  };
  return {
    fold: {
      can: () => chosenGroups().size > 0,
      run: () => toggle(chosenGroups()),
    },
    foldAll: {
      can: () => allGroups(nodes()).size > 0,
      run: () => toggle(allGroups(nodes())),
    },
    fit: { run: () => fitAll(view, shown()) },
    zoomToSelection: {
      can: () => view.ephemeral.selectedNodes.size + view.ephemeral.selectedLinks.size > 0,
      run: () => fitSelection(view, shown()),
    },
    actualSize: { run: () => zoomToActualSize(view) },
    zoomIn: { run: () => zoomStep(view, 1) },
    zoomOut: { run: () => zoomStep(view, -1) },
    showSource: { can: () => link() !== undefined, run: () => showNode(link()?.from.agentId ?? '') },
    showTarget: { can: () => link() !== undefined, run: () => showNode(link()?.to.agentId ?? '') },
  };
}
