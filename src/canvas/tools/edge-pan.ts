import type { EphemeralState } from '../canvas-view.ts';
import type { Point } from '../geometry/camera.ts';
import type { Tool } from './tool.ts';

/** CSS px before an edge from which the view goes along, and CSS px a second at the edge and beyond. */
const zone = 28;
const fastest = 900;

/** Gestures that pan the view at its edges. */
const carried = new Set<Tool['kind']>(['move', 'marquee', 'link']);

/**
 * Returns the speed at which the view pans while a gesture is near its edge (CSS px a second). It is faster nearer to the edge, and zero in
 * the middle. Panels at the sides count as edges; floating bars at the top and bottom do not.
 */
export function edgePan(tool: Tool, at: Point, { size, insets }: Pick<EphemeralState, 'size' | 'insets'>): Point {
  if (!carried.has(tool.kind) || size.width === 0) return still;
  const x = speed(at.x, insets.left, size.width - insets.right);
  const y = speed(at.y, 0, size.height);
  return x === 0 && y === 0 ? still : { x, y };
}

function speed(at: number, low: number, high: number): number {
  const before = Math.min(1, Math.max(0, (low + zone - at) / zone));
  const after = Math.min(1, Math.max(0, (at - high + zone) / zone));
  return (before * before - after * after) * fastest;
}

const still: Point = { x: 0, y: 0 };
