import { type Insets, type Point, type Rect, reachesCorner } from './camera.ts';

/**
 * Returns how far a box on the screen (CSS px) must move, up or left, to clear the panels in the corner. It takes the shorter way that
 * stays within `free`. Zero if the box is clear already, or if there is no such way.
 */
export function outOfCorner(box: Rect, free: Rect, size: { width: number; height: number }, insets: Insets): Point {
  const still = { x: 0, y: 0 };
  if (!insets.corner || !reachesCorner({ x: box.right, y: box.bottom }, size, insets)) return still;
  const left = size.width - insets.corner.width - box.right;
  const up = size.height - insets.corner.height - box.bottom;
  const hasRoomAbove = box.top + up >= free.top;
  const hasRoomBeside = box.left + left >= free.left;
  if (hasRoomAbove && (up >= left || !hasRoomBeside)) return { x: 0, y: up };
  return hasRoomBeside ? { x: left, y: 0 } : still;
}
