import type { CanvasDocument } from '../../../contract/canvas.ts';
import type { DocumentCommand } from '../../model/commands.ts';
import { withContents } from '../../model/document/annotations.ts';
import type { CanvasMoment } from '../canvas-view.ts';
import { fit as fitView, pan, type Rect } from '../geometry/camera.ts';
import { gridSize } from '../geometry/grid-step.ts';
import type { KeyAction } from './key-action.ts';
import { movesBy } from './move-tool.ts';
import { resizeStep } from './resize-step.ts';
import { limitZoom } from './wheel-camera.ts';
import { zoomByStep, zoomTo } from './zoom-step.ts';

export type KeyContext = {
  moment: CanvasMoment;
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
 * What a key does: something of the moment, or a command. Commands are sent while a run holds the document too, so that the
 * engine can say why it refuses them.
 */
export function keyStep(action: KeyAction, context: KeyContext): { moment?: Partial<CanvasMoment>; command?: DocumentCommand } {
  const { moment, document, readOnly } = context;
  switch (action.kind) {
    case 'cancel':
      return { moment: { selectedNodes: none, selectedLinks: none } };
    case 'selectAll':
      return { moment: { selectedNodes: new Set(Object.keys(document.nodes)), selectedLinks: none } };
    case 'undo':
      return readOnly ? {} : { command: { type: 'history.undo' } };
    case 'redo':
      return readOnly ? {} : { command: { type: 'history.redo' } };
    case 'remove':
      return readOnly || (moment.selectedNodes.size === 0 && moment.selectedLinks.size === 0)
        ? {}
        : { command: { type: 'selection.remove', nodeIds: [...moment.selectedNodes], connectionIds: [...moment.selectedLinks] } };
    case 'duplicate':
      return readOnly || moment.selectedNodes.size === 0
        ? {}
        : { command: { type: 'nodes.duplicate', nodeIds: [...moment.selectedNodes], dx: gridSize, dy: gridSize } };
    case 'arrow':
      return arrowStep(action, context);
    case 'resize': {
      const [only] = moment.selectedNodes;
      const node = readOnly || only === undefined || moment.selectedNodes.size > 1 ? undefined : document.nodes[only];
      const command = node && resizeStep(node, action);
      return command ? { command } : {};
    }
    case 'mode':
      return { moment: { mode: action.mode } };
    case 'zoom':
      return { moment: { camera: zoomed(action.to, context) } };
  }
}

function arrowStep({ x, y, coarse, goesOn }: Extract<KeyAction, { kind: 'arrow' }>, { moment, document, readOnly }: KeyContext) {
  if (moment.selectedNodes.size === 0) {
    const step = coarse ? panStep.coarse : panStep.fine;
    return { moment: { camera: pan(moment.camera, -x * step, -y * step) } };
  }
  if (readOnly) return {};
  const step = coarse ? nudge.coarse : nudge.fine;
  const moves = movesBy(document, withContents(document.nodes, moment.selectedNodes), x * step, y * step);
  return moves.length > 0 ? { command: { type: 'node.move' as const, moves, ...(goesOn && { goesOn }) } } : {};
}

function zoomed(to: Extract<KeyAction, { kind: 'zoom' }>['to'], { moment, bounds }: KeyContext): CanvasMoment['camera'] {
  switch (to) {
    case 'in':
      return zoomByStep(moment, 1);
    case 'out':
      return zoomByStep(moment, -1);
    case 'actual':
      return zoomTo(moment, limitZoom(1, moment.camera.zoom));
    case 'fit': {
      const box = bounds();
      return box ? fitView(box, moment.size, moment.insets) : moment.camera;
    }
  }
}

const none: ReadonlySet<string> = new Set();
