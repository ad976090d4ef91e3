import type { CanvasView } from '../../../canvas/canvas-view.ts';
import { toWorld } from '../../../canvas/geometry/camera.ts';
import { gridSize } from '../../../canvas/geometry/grid-step.ts';
import { selectCreated } from '../../../canvas/select-created.ts';
import { freeMiddle } from '../../../canvas/tools/zoom-step.ts';
import type { Dispatch } from '../../../model/commands.ts';
import { withContents } from '../../../model/document/annotations.ts';
import { writeCanvasText } from '../../../model/document/write-canvas-text.ts';
import type { Problem } from '../../../model/problem.ts';
import type { WorkspaceStore } from '../../../model/workspace-store.ts';
import type { ActionHandler } from './action-handler.ts';

type ClipboardParts = {
  store: WorkspaceStore;
  view: CanvasView;
  dispatch: Dispatch;
  isEditable: () => boolean;
  onRefused: (problem: Problem) => void;
};

/** Copying by menu. The browser's clipboard works on secure pages only; keys work everywhere. */
export function clipboardActions(parts: ClipboardParts): Record<'copy' | 'cut' | 'paste' | 'duplicate', ActionHandler> {
  const { store, view, dispatch, isEditable, onRefused } = parts;
  const clipboard = (navigator as Partial<Navigator>).clipboard;
  const hasCards = () => view.ephemeral.selectedNodes.size > 0;
  const copy = async (): Promise<boolean> => {
    const text = writeCanvasText(store.getState().document, view.ephemeral.selectedNodes);
    return (
      clipboard?.writeText(text).then(
        () => true,
        () => false,
      ) ?? false
    );
  };
  return {
    copy: { can: () => clipboard !== undefined && hasCards(), run: () => void copy() },
    cut: {
      can: () => clipboard !== undefined && hasCards() && isEditable(),
      run: async () => {
        const { selectedNodes, selectedLinks } = view.ephemeral;
        const gone = withContents(store.getState().document.nodes, selectedNodes);
        // Without access to the clipboard nothing is cut.
        if (!(await copy())) return;
        await dispatch({ type: 'selection.remove', nodeIds: [...gone], connectionIds: [...selectedLinks] });
      },
    },
    paste: {
      can: () => clipboard?.readText !== undefined && isEditable(),
      run: async (place) => {
        // The user refused, or the clipboard is empty: nothing is pasted.
        const text = await clipboard?.readText().catch(() => '');
        if (!text) return;
        const at = place ?? toWorld(view.ephemeral.camera, freeMiddle(view.ephemeral));
        const outcome = await dispatch({ type: 'nodes.paste', text, at });
        if (outcome.ok) selectCreated(view, store, outcome.value);
        else if (outcome.error.details) onRefused(outcome.error);
      },
    },
    duplicate: {
      can: () => hasCards() && isEditable(),
      run: async () => {
        const outcome = await dispatch({ type: 'nodes.duplicate', nodeIds: [...view.ephemeral.selectedNodes], dx: gridSize, dy: gridSize });
        if (outcome.ok) selectCreated(view, store, outcome.value);
      },
    },
  };
}
