import type { CanvasDocument } from '../../../contract/canvas.ts';
import type { DocumentCommand } from '../../model/commands.ts';
import { withContents } from '../../model/document/annotations.ts';
import { nextHold } from '../../model/document/links/hold-links.ts';
import type { EphemeralState } from '../canvas-view.ts';
import { asFitted } from '../fitted-cameras.ts';
import { withFoldedContents } from '../folding/fold-changes.ts';
import { fit as fitView, pan, type Rect } from '../geometry/camera.ts';
import { gridSize } from '../geometry/grid-step.ts';
import type { KeyAction } from './key-action.ts';
import { movesBy } from './move-tool.ts';
import { resizeStep } from './resize-step.ts';
import { limitZoom } from './wheel-camera.ts';
import { zoomByStep, zoomTo } from './zoom-step.ts';

type KeyContext = {
  ephemeral: EphemeralState;
  document: CanvasDocument;
  readOnly: boolean;
  /** The box round all cards (world px), null on an empty canvas. */
  bounds: () => Rect | null;
};

/** World px by which an arrow key moves the selected cards: a step of the grid, with Shift five. */
const nudge = { fine: gridSize, coarse: 5 * gridSize } as const;
/** CSS px by which an arrow key moves the view while no card is selected. */
const panStep = { fine: 60, coarse: 240 } as const;

/**
 * Returns the effect of a key: a change of the page's state, or a command. Commands are sent even while a run locks the document:
 * the engine then says why it refuses them.
 */
export function keyStep(action: KeyAction, context: KeyContext): { ephemeral?: Partial<EphemeralState>; command?: DocumentCommand } {
  const { ephemeral, document, readOnly } = context;
  switch (action.kind) {
    case 'cancel':
      // Settings that are still being loaded have no key of their own yet.
      if (ephemeral.linkSettings !== null) return { ephemeral: { linkSettings: null } };
      return { ephemeral: { selectedNodes: none, selectedLinks: none } };
    case 'selectAll':
      return { ephemeral: { selectedNodes: new Set(Object.keys(document.nodes)), selectedLinks: none } };
    case 'undo':
      return readOnly ? {} : { command: { type: 'history.undo' } };
    case 'redo':
      return readOnly ? {} : { command: { type: 'history.redo' } };
    case 'remove':
      return readOnly || (ephemeral.selectedNodes.size === 0 && ephemeral.selectedLinks.size === 0)
        ? {}
        : {
            command: {
              type: 'selection.remove',
              nodeIds: [...withFoldedContents(document.nodes, ephemeral.folded, ephemeral.selectedNodes)],
              connectionIds: [...ephemeral.selectedLinks],
            },
          };
    case 'duplicate':
      return readOnly || ephemeral.selectedNodes.size === 0
        ? {}
        : { command: { type: 'nodes.duplicate', nodeIds: [...ephemeral.selectedNodes], dx: gridSize, dy: gridSize } };
    case 'arrow':
      return arrowStep(action, context);
    case 'resize': {
      const [only] = ephemeral.selectedNodes;
      const node = readOnly || only === undefined || ephemeral.selectedNodes.size > 1 ? undefined : document.nodes[only];
      const command = node && resizeStep(node, action);
      return command ? { command } : {};
    }
    case 'mode':
      // H is the key of the hand, and of selected links' hold.
      if (action.mode === 'hand' && ephemeral.selectedLinks.size > 0) {
        const command = readOnly ? null : nextHold(document, ephemeral.selectedLinks);
        return command ? { command } : {};
      }
      return { ephemeral: { mode: action.mode } };
    case 'zoom':
      return { ephemeral: { camera: zoomed(action.to, context) } };
  }
}

function arrowStep({ x, y, coarse, goesOn }: Extract<KeyAction, { kind: 'arrow' }>, { ephemeral, document, readOnly }: KeyContext) {
  if (ephemeral.selectedNodes.size === 0) {
    const step = coarse ? panStep.coarse : panStep.fine;
    return { ephemeral: { camera: pan(ephemeral.camera, -x * step, -y * step) } };
  }
  if (readOnly) return {};
  const step = coarse ? nudge.coarse : nudge.fine;
  const moves = movesBy(document, withContents(document.nodes, ephemeral.selectedNodes), x * step, y * step);
  return moves.length > 0 ? { command: { type: 'node.move' as const, moves, ...(goesOn && { goesOn }) } } : {};
}

function zoomed(to: Extract<KeyAction, { kind: 'zoom' }>['to'], { ephemeral, bounds }: KeyContext): EphemeralState['camera'] {
  switch (to) {
    case 'in':
      return zoomByStep(ephemeral, 1);
    case 'out':
      return zoomByStep(ephemeral, -1);
    case 'actual':
      return zoomTo(ephemeral, limitZoom(1, ephemeral.camera.zoom));
    case 'fit': {
      const box = bounds();
      return box ? asFitted(fitView(box, ephemeral.size, ephemeral.insets), 'all') : ephemeral.camera;
    }
  }
}

const none: ReadonlySet<string> = new Set();
