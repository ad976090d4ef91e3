import type { Point, Rect } from './camera.ts';
import type { BoxTable } from './document-index.ts';
import { gridSize } from './grid-step.ts';

/** A line along which what is dragged and its neighbours are level: across `x` or `y` at `at`, from one end to the other. World px. */
export type Guide = { axis: 'x' | 'y'; at: number; from: number; to: number };

export type Snapped = { dx: number; dy: number; guides: readonly Guide[] };

export type SnapOptions = {
  /** The box round what is dragged, before the drag. */
  box: Rect;
  /** The corner that the grid takes hold of, before the drag. */
  grip: Point;
  /** Cards in view, those that are dragged among them. */
  cards: BoxTable<unknown>;
  dragged: ReadonlySet<string>;
  /** Where neighbours count. */
  shown: Rect;
  /** How far (world px) an edge or a middle reaches for another. */
  reach: number;
  /** Whether the grid draws what no neighbour does. */
  grid: boolean;
};

/** The two axes in one form: where a box begins and ends along it, and across it. */
const axes = {
  x: { low: 'left', high: 'right', crossLow: 'top', crossHigh: 'bottom' },
  y: { low: 'top', high: 'bottom', crossLow: 'left', crossHigh: 'right' },
} as const;
/** World px within which two lines are one. */
const level = 0.01;

/**
 * Draws a drag to where its edges are level with edges of its neighbours, or its middle with theirs, else to the grid, each
 * axis for itself. The lines that it is level with then come along, to be drawn.
 */
export function snap({ dx, dy }: { dx: number; dy: number }, options: SnapOptions): Snapped {
  const { box, grip, grid } = options;
  const at = { left: box.left + dx, top: box.top + dy, right: box.right + dx, bottom: box.bottom + dy };
  const x = nearest('x', at, options) ?? (grid ? toGrid(grip.x + dx) : 0);
  const y = nearest('y', at, options) ?? (grid ? toGrid(grip.y + dy) : 0);
  const drawn = { left: at.left + x, top: at.top + y, right: at.right + x, bottom: at.bottom + y };
  return { dx: dx + x, dy: dy + y, guides: [...guidesAt('x', drawn, options), ...guidesAt('y', drawn, options)] };
}

function toGrid(place: number): number {
  return Math.round(place / gridSize) * gridSize - place;
}

/** How far to the nearest neighbour's line; null when none is in reach. */
function nearest(axis: 'x' | 'y', box: Rect, options: SnapOptions): number | null {
  let best: number | null = null;
  for (const { place, neighbours } of linesOf(axis, box)) {
    for (const other of near(axis, place, options.reach, options)) {
      for (const line of neighbours(other)) {
        const way = line - place;
        if (Math.abs(way) <= options.reach && (best === null || Math.abs(way) < Math.abs(best))) best = way;
      }
    }
  }
  return best;
}

/** The lines that a box is level with, each from the first card on it to the last: edges, or where none is, the middle. */
function guidesAt(axis: 'x' | 'y', box: Rect, options: SnapOptions): Guide[] {
  const [low, middle, high] = linesOf(axis, box).map((line) => guideAt(axis, line, box, options));
  const edges = [low, high].flatMap((guide) => guide ?? []);
  return edges.length > 0 || !middle ? edges : [middle];
}

function guideAt(axis: 'x' | 'y', { place, neighbours }: Line, box: Rect, options: SnapOptions): Guide | null {
  const { crossLow, crossHigh } = axes[axis];
  const isOn = (other: Rect) => neighbours(other).some((line) => Math.abs(line - place) <= level);
  const others = [...near(axis, place, level, options)].filter(isOn);
  if (others.length === 0) return null;
  const all = [box, ...others];
  return { axis, at: place, from: Math.min(...all.map((one) => one[crossLow])), to: Math.max(...all.map((one) => one[crossHigh])) };
}

type Line = { place: number; neighbours: (other: Rect) => number[] };

/** What of a box can be level with a neighbour: either edge with either edge of theirs, its middle with their middle. */
function linesOf(axis: 'x' | 'y', box: Rect): Line[] {
  const { low, high } = axes[axis];
  const edges = (other: Rect) => [other[low], other[high]];
  const middle = (other: Rect) => [(other[low] + other[high]) / 2];
  return [
    { place: box[low], neighbours: edges },
    { place: (box[low] + box[high]) / 2, neighbours: middle },
    { place: box[high], neighbours: edges },
  ];
}

/** Boxes of resting cards in view that a line crosses, or passes by within `reach`. */
function* near(axis: 'x' | 'y', place: number, reach: number, { cards, dragged, shown }: SnapOptions): Generator<Rect> {
  const { low, high } = axes[axis];
  const strip: Rect = { ...shown, [low]: place - reach, [high]: place + reach };
  for (const slot of cards.overlapping(strip)) {
    if (!dragged.has(cards.ids[slot] as string)) yield cards.box(slot);
  }
}
