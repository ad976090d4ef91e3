import type { BoxTable } from './box-table.ts';
import type { Point, Rect } from './camera.ts';
import { gridSize, toGrid } from './grid-step.ts';

/** An alignment guide between the dragged box and its neighbours: across `x` or `y` at `at`, from one end to the other. World px. */
export type Guide = { axis: 'x' | 'y'; at: number; from: number; to: number };

export type Snapped = { dx: number; dy: number; guides: readonly Guide[] };

type SnapOptions = {
  /** The box round the dragged cards, before the drag. */
  box: Rect;
  /** The corner that snaps to the grid, before the drag. */
  grip: Point;
  /** Cards in view, including the dragged ones. */
  cards: BoxTable<unknown>;
  dragged: ReadonlySet<string>;
  /** The area whose cards count as neighbours. */
  shown: Rect;
  /** The snapping distance, world px. */
  reach: number;
  /** Whether the drag snaps to the grid if no neighbour is near. */
  grid: boolean;
};

/** Both axes in one form: the start and end of a box along the axis, and across it. */
const axes = {
  x: { low: 'left', high: 'right', crossLow: 'top', crossHigh: 'bottom' },
  y: { low: 'top', high: 'bottom', crossLow: 'left', crossHigh: 'right' },
} as const;
/** World px within which two lines count as one. */
const level = 0.01;

/**
 * Snaps a drag to its neighbours' edges, or its middle to theirs, else to the grid, each axis separately. Also returns the
 * alignment guides to draw.
 */
export function snap({ dx, dy }: { dx: number; dy: number }, options: SnapOptions): Snapped {
  const { box, grip, grid } = options;
  const at = { left: box.left + dx, top: box.top + dy, right: box.right + dx, bottom: box.bottom + dy };
  const lines = { x: linesOf('x', at, options), y: linesOf('y', at, options) };
  const x = nearest(lines.x, options.reach) ?? (grid ? toGrid(grip.x + dx) - grip.x - dx : 0);
  const y = nearest(lines.y, options.reach) ?? (grid ? toGrid(grip.y + dy) - grip.y - dy : 0);
  const drawn = { left: at.left + x, top: at.top + y, right: at.right + x, bottom: at.bottom + y };
  const guides = [...guidesAt('x', lines.x, x, drawn), ...guidesAt('y', lines.y, y, drawn)];
  return { dx: dx + x, dy: dy + y, guides };
}

/** A line of the dragged box, and the cards that it may align with. */
type Line = { place: number; placesOf: (other: Rect) => number[]; others: Rect[] };

/** The lines that can align, in order: an edge with an edge, and the middle with a middle. */
function linesOf(axis: 'x' | 'y', box: Rect, options: SnapOptions): Line[] {
  const { low, high } = axes[axis];
  const edges = (other: Rect) => [other[low], other[high]];
  const middle = (other: Rect) => [(other[low] + other[high]) / 2];
  const line = (place: number, placesOf: (other: Rect) => number[]) => ({ place, placesOf, others: cardsAbout(axis, place, options) });
  return [line(box[low], edges), line((box[low] + box[high]) / 2, middle), line(box[high], edges)];
}

/** Boxes of resting cards in view that a line crosses, or may come to lie on. */
function cardsAbout(axis: 'x' | 'y', place: number, { cards, dragged, shown, reach, grid }: SnapOptions): Rect[] {
  const { low, high } = axes[axis];
  const farthest = Math.max(reach, grid ? gridSize / 2 : 0) + level;
  const slots = cards.overlapping({ ...shown, [low]: place - farthest, [high]: place + farthest });
  return slots.flatMap((slot) => (dragged.has(cards.ids[slot] as string) ? [] : cards.box(slot)));
}

/** The distance to the nearest neighbour's line; null if none is within the snapping distance. */
function nearest(lines: readonly Line[], reach: number): number | null {
  let best: number | null = null;
  for (const { place, placesOf, others } of lines) {
    for (const other of others) {
      for (const line of placesOf(other)) {
        const way = line - place;
        if (Math.abs(way) <= reach && (best === null || Math.abs(way) < Math.abs(best))) best = way;
      }
    }
  }
  return best;
}

/** The guides of a box moved by `way`, each from its first card to its last: edges, or the middle if no edge aligns. */
function guidesAt(axis: 'x' | 'y', lines: readonly Line[], way: number, box: Rect): Guide[] {
  const [low, middle, high] = lines.map((line) => guideAt(axis, line, way, box));
  const edges = [low, high].flatMap((guide) => guide ?? []);
  return edges.length > 0 || !middle ? edges : [middle];
}

function guideAt(axis: 'x' | 'y', { place, placesOf, others }: Line, way: number, box: Rect): Guide | null {
  const { crossLow, crossHigh } = axes[axis];
  const at = place + way;
  const onLine = others.filter((other) => placesOf(other).some((line) => Math.abs(line - at) <= level));
  if (onLine.length === 0) return null;
  const all = [box, ...onLine];
  return { axis, at, from: Math.min(...all.map((one) => one[crossLow])), to: Math.max(...all.map((one) => one[crossHigh])) };
}
