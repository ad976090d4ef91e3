import type { CanvasNode } from '../../../contract/canvas.ts';
import { isGroup } from '../../../rules/card.ts';
import { boxOf } from './annotations.ts';
import type { Size } from './node-size.ts';

/** The limit of drops and automatic placement on both axes (world px). Dragging has none. */
const dropLimit = 10_000;

const origin = 50;
const gap = 20;
const wrapAt = 1_000;
const maxTries = 100;

export type Point = { x: number; y: number };

/**
 * Returns a free place for a box of this size (world px, top-left), 20 px away from every node. It searches from (50, 50) to the right,
 * in steps of its width and 20, at most 100 times. A new row begins beyond x 1000. Else the place is beside all nodes: right of them,
 * else below, left or above, within the limits. W9.01
 */
export function findFreePlace(nodes: Record<string, CanvasNode>, size: Size): Point {
  const boxes = Object.values(nodes).flatMap((node) => (isGroup(node) ? [] : boxOf(node)));
  const place = { x: origin, y: origin };
  for (let tries = 0; tries < maxTries; tries += 1) {
    if (!boxes.some((box) => isTooNear(box, { ...place, ...size }))) return place;
    place.x += size.width + gap;
    if (place.x > wrapAt) {
      place.x = origin;
      place.y += size.height + gap;
    }
  }
  return clampToCanvas(besideAll(boxes, size).find(isOnCanvas) ?? place);
}

function besideAll(boxes: readonly (Point & Size)[], size: Size): Point[] {
  const edge = (of: (box: Point & Size) => number, outer: (...all: number[]) => number) => boxes.map(of).reduce((a, b) => outer(a, b));
  return [
    { x: edge(({ x, width }) => x + width, Math.max) + gap, y: origin },
    { x: origin, y: edge(({ y, height }) => y + height, Math.max) + gap },
    { x: edge(({ x }) => x, Math.min) - gap - size.width, y: origin },
    { x: origin, y: edge(({ y }) => y, Math.min) - gap - size.height },
  ];
}

function isOnCanvas(point: Point): boolean {
  const { x, y } = clampToCanvas(point);
  return x === point.x && y === point.y;
}

/** Clamps a point to ±10000 on both axes. W5.02 */
export function clampToCanvas({ x, y }: Point): Point {
  return { x: clamp(x), y: clamp(y) };
}

function clamp(value: number): number {
  return Math.min(dropLimit, Math.max(-dropLimit, value));
}

/** Whether two boxes are closer than the gap on both axes. */
function isTooNear(a: Point & Size, b: Point & Size): boolean {
  return a.x < b.x + b.width + gap && b.x < a.x + a.width + gap && a.y < b.y + b.height + gap && b.y < a.y + a.height + gap;
}
