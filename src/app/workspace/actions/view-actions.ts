import type { CanvasView } from '../../../canvas/canvas-view.ts';
import { zoomByStep, zoomTo } from '../../../canvas/tools/zoom-step.ts';
import type { WorkspaceStore } from '../../../model/workspace-store.ts';
import { fitAll, fitSelection, moveCamera } from '../camera/move-camera.ts';
import type { ActionHandler } from './action-handler.ts';

type ViewAction = 'fit' | 'zoomToSelection' | 'actualSize' | 'zoomIn' | 'zoomOut' | 'showSource' | 'showTarget';

export type ViewParts = { store: WorkspaceStore; view: CanvasView; showNode: (nodeId: string) => void };

/** The actions that move the camera. */
export function viewActions({ store, view, showNode }: ViewParts): Record<ViewAction, ActionHandler> {
  const link = () => {
    const { selectedNodes, selectedLinks } = view.ephemeral;
    return selectedLinks.size === 1 && selectedNodes.size === 0
      ? store.getState().document.connections[[...selectedLinks][0] ?? '']
      : undefined;
  };
  return {
    fit: { run: () => fitAll(view, store.getState().document) },
    zoomToSelection: {
      can: () => view.ephemeral.selectedNodes.size + view.ephemeral.selectedLinks.size > 0,
      run: () => fitSelection(view, store.getState().document),
    },
    actualSize: { run: () => moveCamera(view, zoomTo(view.ephemeral, 1)) },
    zoomIn: { run: () => moveCamera(view, zoomByStep(view.ephemeral, 1)) },
    zoomOut: { run: () => moveCamera(view, zoomByStep(view.ephemeral, -1)) },
    showSource: { can: () => link() !== undefined, run: () => showNode(link()?.from.agentId ?? '') },
    showTarget: { can: () => link() !== undefined, run: () => showNode(link()?.to.agentId ?? '') },
  };
}
