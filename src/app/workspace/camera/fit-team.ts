import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';
import type { EphemeralState } from '../../../canvas/canvas-view.ts';
import { type Camera, fit } from '../../../canvas/geometry/camera.ts';
import { nodeBox } from '../../../canvas/geometry/document-bounds.ts';
import { documentBounds } from '../../../canvas/geometry/routes/routes-of.ts';
import { freeView } from './free-view.ts';

/** Up to this many cards are never shown smaller than at this zoom, unless a person asks for all of them. */
const legible = { zoom: 0.3, cards: 20 } as const;
/** The free space between the cards and the panels, where not all of them are shown (CSS px). */
const margin = 16;

type Viewport = Pick<EphemeralState, 'size' | 'insets'>;

/**
 * Returns the camera that shows all cards and links, at `maxZoom` at most; null on an empty canvas. A team that would be too small to be
 * recognised is shown in part: around `near`, else around its first card.
 */
export function fitTeam(
  document: CanvasDocument,
  { size, insets }: Viewport,
  { maxZoom = 1, near }: { maxZoom?: number; near?: CanvasNode | undefined } = {},
): Camera | null {
  const bounds = documentBounds(document);
  if (!bounds) return null;
  const whole = fit(bounds, size, insets, maxZoom);
  const zoom = Math.min(maxZoom, legible.zoom);
  const nodes = Object.values(document.nodes);
  if (whole.zoom >= zoom || nodes.length > legible.cards) return whole;
  const box = nodeBox(near ?? firstOf(nodes));
  const free = freeView({ size, insets });
  return {
    x: shiftOf([bounds.left, bounds.right], [box.left, box.right], [free.left, free.right], zoom),
    y: shiftOf([bounds.top, bounds.bottom], [box.top, box.bottom], [free.top, free.bottom], zoom),
    zoom,
  };
}

/** The card in the upper left. */
export function firstOf(nodes: readonly CanvasNode[]): CanvasNode {
  return nodes.reduce((best, node) => (node.y + node.x < best.y + best.x ? node : best));
}

type Span = [from: number, to: number];

/** Along one axis: centres all where there is room, else the card, as far as no room is left empty at an end. */
function shiftOf(all: Span, card: Span, free: Span, zoom: number): number {
  const [from, to] = [free[0] + margin, free[1] - margin];
  const middle = (from + to) / 2;
  if ((all[1] - all[0]) * zoom <= to - from) return middle - ((all[0] + all[1]) / 2) * zoom;
  const centred = middle - ((card[0] + card[1]) / 2) * zoom;
  return Math.min(from - all[0] * zoom, Math.max(to - all[1] * zoom, centred));
}
