import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';
import { atRest, moveCamera } from '../../../canvas/camera-movement.ts';
import type { CanvasView, EphemeralState } from '../../../canvas/canvas-view.ts';
import { asFitted } from '../../../canvas/fitted-cameras.ts';
import { type Camera, fit, type Rect } from '../../../canvas/geometry/camera.ts';
import { nodeBox, unionBox } from '../../../canvas/geometry/document-bounds.ts';
import { outOfCorner } from '../../../canvas/geometry/out-of-corner.ts';
import { documentBounds, routesOf } from '../../../canvas/geometry/routes/routes-of.ts';
import { zoomByStep, zoomTo } from '../../../canvas/tools/zoom-step.ts';
import { firstOf, fitTeam } from './fit-team.ts';
import { freeView, onScreen } from './free-view.ts';

/** The free space between a revealed card and the panels (CSS px). */
const margin = 32;
/** The smallest zoom at which a card shows its texts. */
const readableZoom = 0.6;
/** The largest zoom of a legible view: the smallest texts of a card are 11 px high. */
const legibleZoom = 1;
/** The free space around the cards of a legible view (CSS px). */
const legibleMargin = 12;

/** Zooms by one step of the buttons. W9.01 */
export function zoomStep(view: CanvasView, direction: 1 | -1): void {
  moveCamera(view, zoomByStep(atRest(view), direction));
}

/** Shows cards at the size of their own text. */
export function zoomToActualSize(view: CanvasView): void {
  moveCamera(view, zoomTo(atRest(view), 1));
}

/** Fits all cards and links into the view. Does nothing on an empty canvas. */
export function fitAll(view: CanvasView, document: CanvasDocument): void {
  const camera = wholeCamera(view, document);
  if (camera) moveCamera(view, asFitted(camera, 'all'));
}

/** Returns the camera that shows all cards and links; null on an empty canvas. */
export function wholeCamera({ ephemeral: { size, insets } }: CanvasView, document: CanvasDocument): Camera | null {
  const bounds = documentBounds(document);
  return bounds && fit(bounds, size, insets);
}

/** Fits the selection into the view. Does nothing without a selection. */
export function fitSelection(view: CanvasView, document: CanvasDocument): void {
  const bounds = selectionBounds(document, view.ephemeral);
  if (bounds) moveCamera(view, fit(bounds, view.ephemeral.size, view.ephemeral.insets));
}

/** Centres a card in the free area. Keeps the zoom, unless the card's texts would be unreadable. */
export function flyToNode(view: CanvasView, node: CanvasNode): void {
  flyToBox(view, nodeBox(node));
}

/** In a window with less room than this each way, a team that would be unreadable as a whole is opened at one card (CSS px). */
const minRoomyWindow = 600;

/** Returns the camera of a project that is opened; null on an empty canvas. In a small window it shows a card that can be read. */
export function openingCamera(view: CanvasView, document: CanvasDocument, near?: CanvasNode): Camera | null {
  const { size, insets } = view.ephemeral;
  const whole = fitTeam(document, { size, insets }, { near });
  const isSmall = size.width < minRoomyWindow || size.height < minRoomyWindow;
  if (!whole || !isSmall || whole.zoom >= readableZoom) return whole;
  return fit(nodeBox(near ?? firstOf(Object.values(document.nodes))), size, insets);
}

/**
 * Returns the camera that shows the cards at the size of their own text; null on an empty canvas. If not all cards fit, it shows
 * as many of the first ones, in the document's order, as fit below the bars.
 */
export function legibleCamera({ size, insets }: Pick<EphemeralState, 'size' | 'insets'>, document: CanvasDocument): Camera | null {
  const [first, ...others] = Object.values(document.nodes).map(nodeBox);
  if (!first) return null;
  const free = freeView({
    size,
    insets: { ...insets, bottom: Math.max(insets.bottom, insets.corner?.height ?? 0) },
  });
  const width = free.right - free.left - 2 * legibleMargin;
  const height = free.bottom - free.top - 2 * legibleMargin;
  let shown: Rect = first;
  for (const box of others) {
    const wider = unionBox(shown, box);
    if (wider.right - wider.left > width || wider.bottom - wider.top > height) break;
    shown = wider;
  }
  return {
    x: (free.left + free.right - shown.left - shown.right) / 2,
    y: free.top + legibleMargin - shown.top,
    zoom: legibleZoom,
  };
}

/** Centres a box (world px) in the free area. Keeps the zoom, unless a card's texts would be unreadable or the box would not fit. */
export function flyToBox(view: CanvasView, box: Rect): void {
  const { camera, size, insets } = atRest(view);
  moveCamera(view, fit(box, size, insets, camera.zoom < readableZoom ? 1 : camera.zoom));
}

/** Pans as little as needed for the panels to cover no part of a card. Zooms out only if the card is larger than the free area. */
export function revealNode(view: CanvasView, node: CanvasNode): void {
  revealBox(view, nodeBox(node));
}

/** Shows cards that were placed together. On a narrow screen it shows only the first one if their texts would be unreadable. */
export function revealNodes(view: CanvasView, nodes: readonly CanvasNode[], mobile: boolean): void {
  const bounds = nodes.map(nodeBox).reduce<Rect | null>(unionBox, null);
  if (!bounds) return;
  const first = nodes[0] as CanvasNode;
  const whole = fit(bounds, view.ephemeral.size, view.ephemeral.insets);
  revealBox(view, mobile && whole.zoom < readableZoom ? nodeBox(first) : bounds);
}

function revealBox(view: CanvasView, bounds: Rect): void {
  if (view.ephemeral.size.width === 0) return;
  const now = atRest(view);
  const target = revealingCamera(now, bounds);
  if (target !== now.camera) moveCamera(view, target);
}

/** Returns the camera with which no panel covers a box (world px); the current camera if it already does so. */
export function revealingCamera({ camera, size, insets }: Pick<EphemeralState, 'camera' | 'size' | 'insets'>, bounds: Rect): Camera {
  const all = freeView({ size, insets });
  const free = { left: all.left + margin, top: all.top + margin, right: all.right - margin, bottom: all.bottom - margin };
  const box = onScreen(camera, bounds);
  if (box.right - box.left > free.right - free.left || box.bottom - box.top > free.bottom - free.top) {
    return fit(bounds, size, insets, camera.zoom);
  }
  const within = { x: shift(box.left, box.right, free.left, free.right), y: shift(box.top, box.bottom, free.top, free.bottom) };
  const padded = {
    left: box.left + within.x - margin,
    top: box.top + within.y - margin,
    right: box.right + within.x + margin,
    bottom: box.bottom + within.y + margin,
  };
  const out = outOfCorner(padded, all, size, insets);
  const dx = within.x + out.x;
  const dy = within.y + out.y;
  return dx === 0 && dy === 0 ? camera : { x: camera.x + dx, y: camera.y + dy, zoom: camera.zoom };
}

function shift(low: number, high: number, min: number, max: number): number {
  if (low < min) return min - low;
  return high > max ? max - high : 0;
}

/** The box round the selected cards and links (world px); null when nothing is selected. */
function selectionBounds(
  document: CanvasDocument,
  { selectedNodes, selectedLinks }: Pick<EphemeralState, 'selectedNodes' | 'selectedLinks'>,
): Rect | null {
  let bounds: Rect | null = null;
  for (const id of selectedNodes) if (document.nodes[id]) bounds = unionBox(bounds, nodeBox(document.nodes[id]));
  const routes = selectedLinks.size > 0 ? routesOf(document) : null;
  for (const id of selectedLinks) bounds = unionBox(bounds, routes?.extent(id) ?? null);
  return bounds;
}
