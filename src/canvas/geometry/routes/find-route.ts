import type { Rect } from '../camera.ts';
import { backwardOffset, type LinkEnd, plainCorners, straightGap } from '../link-path.ts';

/**
 * The way of a link round cards, before it gets its lane: corners as x, y, x, y…, ends included, and for each segment between two corners the
 * range (lowest, highest) in which it may lie.
 */
export type Route = { corners: readonly number[]; ranges: readonly number[] };

/** World px that a link keeps from cards. */
const clearance = 6;
/** How far beside a card a link that leads back may lie where no other card is (world px). */
const openReach = 200;
/** The cost (world px) that keeps links that lead on above a row and links that lead back below it. */
const sideBonus = 120;

/**
 * Returns the route of a link round `cards` (boxes, without those at its ends) within `area`. It crosses between two cards where that way is
 * free. Otherwise it follows a free lane: above the cards between its ends, and below them if it leads back. Where no lane is free, it takes
 * the plain way. `own`: the boxes of the cards at its ends.
 */
export function findRoute(from: LinkEnd, to: LinkEnd, cards: readonly Rect[], own: readonly Rect[], area: Rect): Route {
  const gap = to.x - from.x;
  if (gap < 0) return findDetour(from, to, [...cards, ...own], area) ?? plainRoute(from, to);
  if (gap < straightGap) return plainRoute(from, to);
  const isLevel = Math.abs(to.y - from.y) < 0.5;
  if (isLevel && isFree(cards, from.x, from.y, to.x, to.y, 0)) return plainRoute(from, to);
  return (isLevel ? null : findCrossing(from, to, cards)) ?? findDetour(from, to, cards, area) ?? plainRoute(from, to);
}

function plainRoute(from: LinkEnd, to: LinkEnd): Route {
  const corners = plainCorners(from, to);
  const ranges: number[] = [];
  for (let i = 2; i < corners.length - 2; i += 2) {
    const at = corners[i === 2 || i === 6 ? i : i + 1] as number;
    const reach = corners.length === 8 ? (to.x - from.x) / 2 - clearance : backwardOffset - clearance;
    ranges.push(at - reach, at + reach);
  }
  return { corners, ranges };
}

/** One vertical segment between the ports, in the free space that is nearest to their middle. */
function findCrossing(from: LinkEnd, to: LinkEnd, cards: readonly Rect[]): Route | null {
  const top = Math.min(from.y, to.y) - clearance;
  const bottom = Math.max(from.y, to.y) + clearance;
  let low = from.x + clearance;
  let high = to.x - clearance;
  const walls: Span[] = [];
  for (const { left, top: y, right, bottom: end } of cards) {
    if (right <= from.x || left >= to.x || y >= bottom || end <= top) continue;
    if (y < from.y + clearance && end > from.y - clearance) high = Math.min(high, left - clearance);
    if (y < to.y + clearance && end > to.y - clearance) low = Math.max(low, right + clearance);
    walls.push({ low: left - clearance, high: right + clearance });
  }
  const middle = (from.x + to.x) / 2;
  const best = nearestSpace(spacesBetween(walls, low, high), middle);
  if (!best) return null;
  const x = inSpace(best, middle, backwardOffset);
  return { corners: [from.x, from.y, x, from.y, x, to.y, to.x, to.y], ranges: [best.low, best.high] };
}

/** Out of the card, along a free lane, and in: the lane with the shortest way. */
function findDetour(from: LinkEnd, to: LinkEnd, cards: readonly Rect[], area: Rect): Route | null {
  const isBack = to.x < from.x;
  const half = isBack ? Number.POSITIVE_INFINITY : (to.x - from.x) / 2;
  const out = Math.min(backwardOffset, half, (freeRight(cards, from.x, from.y, from.y) - from.x) / 2);
  const into = Math.min(backwardOffset, half, (to.x - freeLeft(cards, to.x, to.y, to.y)) / 2);
  if (out < clearance || into < clearance) return null;
  const left = Math.min(from.x + out, to.x - into) - clearance;
  const right = Math.max(from.x + out, to.x - into) + clearance;
  const walls = cards.filter((card) => card.right > left && card.left < right).map(({ top, bottom }) => ({ low: top, high: bottom }));
  const lanes = spacesBetween(walls, area.top, area.bottom)
    .filter(({ low, high }) => high - low >= 2 * clearance)
    .map((space) => laneIn(space, from.y, to.y, isBack))
    .sort((a, b) => a.cost - b.cost || a.y - b.y);
  for (const { y, space } of lanes) {
    const route = alongLane(from, to, cards, y, isBack);
    if (!route) continue;
    const [x1, x2] = route.x;
    return {
      corners: [from.x, from.y, x1, from.y, x1, y, x2, y, x2, to.y, to.x, to.y],
      ranges: [...route.out, Math.min(y, space.low + clearance), Math.max(y, space.high - clearance), ...route.into],
    };
  }
  return null;
}

type Span = { low: number; high: number };
type Lane = { y: number; cost: number; space: Span };

/** The lane of a link in a free space between rows: in its middle if the space lies between both ports, else 40 from the cards. */
function laneIn(space: Span, fromY: number, toY: number, isBack: boolean): Lane {
  const { low, high } = space;
  const upper = Math.min(fromY, toY);
  const lower = Math.max(fromY, toY);
  const isAbove = high <= upper;
  const isBelow = low >= lower;
  const middle = isAbove || isBelow ? (low + high) / 2 : (Math.max(low, upper) + Math.min(high, lower)) / 2;
  const y = isAbove ? Math.max(middle, high - backwardOffset) : isBelow ? Math.min(middle, low + backwardOffset) : middle;
  const bonus = (isBack ? isBelow : isAbove) ? sideBonus : 0;
  return { y, cost: Math.abs(fromY - y) + Math.abs(toY - y) - bonus, space };
}

/** The vertical segments beside both ends that lead to a lane, with their ranges; null where a card is in the way. */
function alongLane(from: LinkEnd, to: LinkEnd, cards: readonly Rect[], y: number, isBack: boolean) {
  const middle = (from.x + to.x) / 2;
  const right = Math.min(freeRight(cards, from.x, from.y, from.y), isBack ? from.x + openReach : middle + clearance);
  const left = Math.max(freeLeft(cards, to.x, to.y, to.y), isBack ? to.x - openReach : middle - clearance);
  const out = upright(cards, from.y, y, { low: from.x, high: right }, from.x + backwardOffset);
  const into = upright(cards, to.y, y, { low: left, high: to.x }, to.x - backwardOffset);
  if (!out || !into) return null;
  const x = [out.x, into.x] as const;
  if (!isFree(cards, Math.min(...x), y, Math.max(...x), y, 0)) return null;
  return { x, out: [out.space.low, out.space.high], into: [into.space.low, into.space.high] };
}

/** A vertical segment between two heights and within a span, in the free space that is nearest to a wanted place. */
function upright(cards: readonly Rect[], y1: number, y2: number, { low, high }: Span, wanted: number): { x: number; space: Span } | null {
  const top = Math.min(y1, y2) - clearance;
  const bottom = Math.max(y1, y2) + clearance;
  const walls = cards
    .filter((card) => card.top < bottom && card.bottom > top && card.right > low && card.left < high)
    .map(({ left, right }) => ({ low: left - clearance, high: right + clearance }));
  const space = nearestSpace(spacesBetween(walls, low + clearance, high - clearance), wanted);
  return space && { x: inSpace(space, wanted, backwardOffset - clearance), space };
}

/** The left edge of the first card to the right of `x` between two heights; `x` itself where a card covers it. */
function freeRight(cards: readonly Rect[], x: number, y1: number, y2: number): number {
  const top = Math.min(y1, y2) - clearance;
  const bottom = Math.max(y1, y2) + clearance;
  let free = Number.POSITIVE_INFINITY;
  for (const card of cards) if (card.top < bottom && card.bottom > top && card.right > x) free = Math.min(free, Math.max(x, card.left));
  return free;
}

function freeLeft(cards: readonly Rect[], x: number, y1: number, y2: number): number {
  const top = Math.min(y1, y2) - clearance;
  const bottom = Math.max(y1, y2) + clearance;
  let free = Number.NEGATIVE_INFINITY;
  for (const card of cards) if (card.top < bottom && card.bottom > top && card.left < x) free = Math.max(free, Math.min(x, card.right));
  return free;
}

/** Whether no card reaches into a segment. */
function isFree(cards: readonly Rect[], left: number, top: number, right: number, bottom: number, margin: number): boolean {
  return cards.every(
    (card) => card.right <= left - margin || card.left >= right + margin || card.bottom <= top - margin || card.top >= bottom + margin,
  );
}

/** What walls leave free between two values, in ascending order. */
function spacesBetween(walls: Span[], low: number, high: number): Span[] {
  const spaces: Span[] = [];
  let at = low;
  for (const wall of walls.sort((a, b) => a.low - b.low)) {
    if (wall.low > at) spaces.push({ low: at, high: Math.min(wall.low, high) });
    at = Math.max(at, wall.high);
    if (at >= high) return spaces;
  }
  if (high > at) spaces.push({ low: at, high });
  return spaces;
}

function nearestSpace(spaces: readonly Span[], wanted: number): Span | null {
  return spaces.reduce((best: Span | null, space) => (best && distance(best, wanted) <= distance(space, wanted) ? best : space), null);
}

/** The place in a space that is nearest to a wanted one, with a margin to its edges; its middle where it is narrower. */
function inSpace({ low, high }: Span, wanted: number, margin: number): number {
  if (high - low <= 2 * margin) return (low + high) / 2;
  return Math.min(high - margin, Math.max(low + margin, wanted));
}

function distance({ low, high }: Span, at: number): number {
  return Math.max(0, low - at, at - high);
}
