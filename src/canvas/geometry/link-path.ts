import type { Point, Rect } from './camera.ts';

/** The start or end of a link, with the vertical extent of the card there (equal to `y` without a card). World px. */
export type LinkEnd = { x: number; y: number; top: number; bottom: number };

/** W9.01 */
const cornerRadius = 15;
/** How far a link that leads backward goes out of a card before it turns. W9.01 */
export const backwardOffset = 40;
/** Between ports that are nearer than that (world px), a link is a straight line: there is no space for corners. D3.01 */
export const straightGap = 40;

/** How a link's corners are drawn: `round` by many short segments, `cut` by one, `sharp` by none. At small zooms they look the same. */
export type LinkShape = 'round' | 'cut' | 'sharp';
/** Segments of a round corner. */
const cornerSegments = { round: 5, cut: 1, sharp: 0 } as const;

/** A link's path as a polyline of `count` points: `points` holds x, y, x, y…, `along` the distance from the start at each. World px. */
export type LinkPath = { points: ArrayLike<number>; along: ArrayLike<number>; count: number; length: number };

/** The maximum of corners of a link, ends included. */
const maxCorners = 6;
const maxPoints = 2 + (maxCorners - 2) * (cornerSegments.round + 1);

/**
 * The right-angled corners of a link without other cards and links, ends included, as x, y, x, y… It is straight where the ports are level or
 * near, and crosses in the middle where there is space. Otherwise it goes out by 40, through the channel between the two cards (below both if
 * they are side by side), and in by 40.
 */
export function plainCorners(from: LinkEnd, to: LinkEnd): number[] {
  const gap = to.x - from.x;
  if (gap >= 0 && (gap < straightGap || Math.abs(to.y - from.y) < 0.5)) return [from.x, from.y, to.x, to.y];
  if (gap >= 0) {
    const middle = (from.x + to.x) / 2;
    return [from.x, from.y, middle, from.y, middle, to.y, to.x, to.y];
  }
  const channel = channelBetween(from, to);
  const out = from.x + backwardOffset;
  const into = to.x - backwardOffset;
  return [from.x, from.y, out, from.y, out, channel, into, channel, into, to.y, to.x, to.y];
}

/** The bounding box of corners. */
export function cornersExtent(corners: ArrayLike<number>): Rect {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (let i = 0; i < corners.length / 2; i++) {
    const x = corners[2 * i] as number;
    const y = corners[2 * i + 1] as number;
    box.left = Math.min(box.left, x);
    box.top = Math.min(box.top, y);
    box.right = Math.max(box.right, x);
    box.bottom = Math.max(box.bottom, y);
  }
  return box;
}

/** The bounding box of a link's path without other cards and links. */
export function linkExtent(from: LinkEnd, to: LinkEnd): Rect {
  return cornersExtent(plainCorners(from, to));
}

/** Returns the path without other cards and links, with corners of radius 15, or less where its segments are too short. */
export function linkPath(from: LinkEnd, to: LinkEnd, shape: LinkShape = 'round'): LinkPath {
  traceLink(from, to, shape);
  return copyOfTraced();
}

/** Returns the same path in a shared buffer that the next call overwrites. Use it to draw thousands of links at a time. */
export function traceLink(from: LinkEnd, to: LinkEnd, shape: LinkShape): LinkPath {
  return traceCorners(plainCorners(from, to), shape);
}

/** Returns the path along corners. */
export function pathAlong(corners: ArrayLike<number>, shape: LinkShape = 'round'): LinkPath {
  traceCorners(corners, shape);
  return copyOfTraced();
}

/** Returns the path along corners in the shared buffer. */
export function traceCorners(corners: ArrayLike<number>, shape: LinkShape): LinkPath {
  const count = corners.length / 2;
  traced.count = 0;
  addPoint(corners[0] as number, corners[1] as number);
  for (let i = 1; i < count - 1; i++) addCorner(corners, i, count, cornerSegments[shape]);
  addPoint(corners[2 * count - 2] as number, corners[2 * count - 1] as number);
  let length = 0;
  traced.along[0] = 0;
  for (let i = 1; i < traced.count; i++) {
    const { points, along } = traced;
    const dx = (points[2 * i] as number) - (points[2 * i - 2] as number);
    const dy = (points[2 * i + 1] as number) - (points[2 * i - 1] as number);
    length += Math.sqrt(dx * dx + dy * dy);
    along[i] = length;
  }
  traced.length = length;
  return traced;
}

function copyOfTraced(): LinkPath {
  const { points, along, count, length } = traced;
  return { points: Array.from(points.subarray(0, 2 * count)), along: Array.from(along.subarray(0, count)), count, length };
}

const traced = { points: new Float64Array(2 * maxPoints), along: new Float64Array(maxPoints), count: 0, length: 0 };

function channelBetween(from: LinkEnd, to: LinkEnd): number {
  if (to.top >= from.bottom) return (from.bottom + to.top) / 2;
  if (from.top >= to.bottom) return (to.bottom + from.top) / 2;
  return Math.max(from.bottom, to.bottom) + backwardOffset;
}

function addPoint(x: number, y: number): void {
  traced.points[2 * traced.count] = x;
  traced.points[2 * traced.count + 1] = y;
  traced.count++;
}

function addCorner(at: ArrayLike<number>, i: number, corners: number, segments: number): void {
  const x = at[2 * i] as number;
  const y = at[2 * i + 1] as number;
  const inX = x - (at[2 * i - 2] as number);
  const inY = y - (at[2 * i - 1] as number);
  const outX = (at[2 * i + 2] as number) - x;
  const outY = (at[2 * i + 3] as number) - y;
  // A segment between two corners gives half of its length to each; a segment at an end of the link gives all of it.
  const radius = Math.min(
    cornerRadius,
    (Math.abs(inX) + Math.abs(inY)) * (i === 1 ? 1 : 0.5),
    (Math.abs(outX) + Math.abs(outY)) * (i === corners - 2 ? 1 : 0.5),
  );
  if (segments === 0 || radius < 0.5) {
    addPoint(x, y);
    return;
  }
  const fromX = Math.sign(inX) * radius;
  const fromY = Math.sign(inY) * radius;
  const toX = Math.sign(outX) * radius;
  const toY = Math.sign(outY) * radius;
  for (let step = 0; step <= segments; step++) {
    const angle = (step / segments) * (Math.PI / 2);
    const sin = Math.sin(angle);
    const cos = Math.cos(angle);
    addPoint(x + (toX - fromX) - toX * cos + fromX * sin, y + (toY - fromY) - toY * cos + fromY * sin);
  }
}

/** The point at a distance (world px) from the link's start, clamped to its ends. */
export function pointAlong(path: LinkPath, distance: number): Point {
  const { points, along, count } = path;
  let i = 1;
  while (i < count - 1 && (along[i] as number) < distance) i++;
  const from = along[i - 1] as number;
  const segment = (along[i] as number) - from;
  const share = segment > 0 ? Math.min(1, Math.max(0, (distance - from) / segment)) : 0;
  const x = points[2 * i - 2] as number;
  const y = points[2 * i - 1] as number;
  return { x: x + ((points[2 * i] as number) - x) * share, y: y + ((points[2 * i + 1] as number) - y) * share };
}

/** The height of the badge at a link's midpoint (world px). */
export const linkBadgeHeight = 24;

/** The point half-way along corners. */
export function midpointOf(corners: ArrayLike<number>): Point {
  const path = traceCorners(corners, 'round');
  return pointAlong(path, path.length / 2);
}

/** World px from a point to the nearest point of the link. */
export function distanceToLink({ points, count }: Pick<LinkPath, 'points' | 'count'>, point: Point): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (let i = 2; i < 2 * count; i += 2) {
    const x = points[i - 2] as number;
    const y = points[i - 1] as number;
    const dx = (points[i] as number) - x;
    const dy = (points[i + 1] as number) - y;
    const square = dx * dx + dy * dy;
    const share = square > 0 ? Math.min(1, Math.max(0, ((point.x - x) * dx + (point.y - y) * dy) / square)) : 0;
    nearest = Math.min(nearest, Math.hypot(point.x - x - dx * share, point.y - y - dy * share));
  }
  return nearest;
}
