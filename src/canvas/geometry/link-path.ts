import type { Point } from './camera.ts';

/** Where a link starts or ends, with the vertical extent of the card there (equal to `y` where there is no card). World px. */
export type LinkEnd = { x: number; y: number; top: number; bottom: number };

/** W9.01 */
export const cornerRadius = 15;
/** How far a link that leads backward goes out of a card before it turns. W9.01 */
export const backwardOffset = 40;
const pointsPerCorner = 5;

/** A link's run as a fine polyline: `points` holds x, y, x, y…, `along` the distance from the start at each point. World px. */
export type LinkPath = { points: readonly number[]; along: readonly number[]; length: number };

/**
 * The right-angled corners of a link, ends included: straight where the ports are level, across the middle where there is
 * room, else out by 40, through the channel between the two cards (below both where they stand side by side), in by 40.
 */
export function linkCorners(from: LinkEnd, to: LinkEnd): Point[] {
  const start = { x: from.x, y: from.y };
  const end = { x: to.x, y: to.y };
  if (to.x >= from.x && Math.abs(to.y - from.y) < 0.5) return [start, end];
  if (to.x - from.x >= 2 * cornerRadius) {
    const middle = (from.x + to.x) / 2;
    return [start, { x: middle, y: from.y }, { x: middle, y: to.y }, end];
  }
  const out = from.x + backwardOffset;
  const back = to.x - backwardOffset;
  const channel = channelBetween(from, to);
  return [start, { x: out, y: from.y }, { x: out, y: channel }, { x: back, y: channel }, { x: back, y: to.y }, end];
}

function channelBetween(from: LinkEnd, to: LinkEnd): number {
  if (to.top >= from.bottom) return (from.bottom + to.top) / 2;
  if (from.top >= to.bottom) return (to.bottom + from.top) / 2;
  return Math.max(from.bottom, to.bottom) + backwardOffset;
}

/** The link's run with corners of radius 15, less where its legs are too short for that. */
export function linkPath(from: LinkEnd, to: LinkEnd): LinkPath {
  return roundedPath(linkCorners(from, to));
}

/** The same run with its corners left sharp, for views in which a rounding would be too small to see. */
export function sharpLinkPath(from: LinkEnd, to: LinkEnd): LinkPath {
  return measured(linkCorners(from, to).flatMap((point) => [point.x, point.y]));
}

function roundedPath(corners: Point[]): LinkPath {
  const first = corners[0] as Point;
  const last = corners[corners.length - 1] as Point;
  const points = [first.x, first.y];
  for (let i = 1; i < corners.length - 1; i++) {
    const before = corners[i - 1] as Point;
    const corner = corners[i] as Point;
    const after = corners[i + 1] as Point;
    const radius = Math.min(
      cornerRadius,
      legLength(before, corner) * shareOfLeg(i - 1),
      legLength(corner, after) * shareOfLeg(corners.length - 2 - i),
    );
    if (radius < 0.5) points.push(corner.x, corner.y);
    else addCorner(points, before, corner, after, radius);
  }
  points.push(last.x, last.y);
  return measured(points);
}

/** A leg between two corners lends each of them half; a leg at an end of the link lends all. */
function shareOfLeg(cornersBeyond: number): number {
  return cornersBeyond === 0 ? 1 : 0.5;
}

function legLength(a: Point, b: Point): number {
  return Math.abs(a.x - b.x) + Math.abs(a.y - b.y);
}

function addCorner(points: number[], before: Point, corner: Point, after: Point, radius: number): void {
  const inX = Math.sign(corner.x - before.x);
  const inY = Math.sign(corner.y - before.y);
  const outX = Math.sign(after.x - corner.x);
  const outY = Math.sign(after.y - corner.y);
  const centreX = corner.x + (outX - inX) * radius;
  const centreY = corner.y + (outY - inY) * radius;
  for (let i = 0; i <= pointsPerCorner; i++) {
    const angle = (i / pointsPerCorner) * (Math.PI / 2);
    const sin = Math.sin(angle) * radius;
    const cos = Math.cos(angle) * radius;
    points.push(centreX - outX * cos + inX * sin, centreY - outY * cos + inY * sin);
  }
}

function measured(points: number[]): LinkPath {
  const along = [0];
  let length = 0;
  for (let i = 2; i < points.length; i += 2) {
    length += Math.hypot((points[i] as number) - (points[i - 2] as number), (points[i + 1] as number) - (points[i - 1] as number));
    along.push(length);
  }
  return { points, along, length };
}

/** The point at a distance (world px) from the link's start, held to its ends. */
export function pointAlong(path: LinkPath, distance: number): Point {
  const { points, along } = path;
  let i = 1;
  while (i < along.length - 1 && (along[i] as number) < distance) i++;
  const from = along[i - 1] as number;
  const leg = (along[i] as number) - from;
  const share = leg > 0 ? Math.min(1, Math.max(0, (distance - from) / leg)) : 0;
  const x = points[2 * i - 2] as number;
  const y = points[2 * i - 1] as number;
  return { x: x + ((points[2 * i] as number) - x) * share, y: y + ((points[2 * i + 1] as number) - y) * share };
}

export function linkMidpoint(from: LinkEnd, to: LinkEnd): Point {
  const path = linkPath(from, to);
  return pointAlong(path, path.length / 2);
}

/** World px from a point to the nearest point of the link. */
export function distanceToLink(path: LinkPath, point: Point): number {
  const { points } = path;
  let nearest = Number.POSITIVE_INFINITY;
  for (let i = 2; i < points.length; i += 2) {
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
