import type { CanvasNode } from '../../contract/canvas.ts';
import { isAnnotation, isGroup, isNote } from '../../rules/card.ts';
import type { Hover } from './canvas-view.ts';
import { isOnFoldSign } from './folding/fold-sign.ts';
import { isFolded } from './folding/folded-records.ts';
import type { Point, Rect } from './geometry/camera.ts';
import type { DocumentIndex } from './geometry/document-index.ts';
import { detailLevel } from './geometry/level-of-detail.ts';
import { linkEnd } from './geometry/link-end.ts';
import { cornersExtent, distanceToLink, traceCorners } from './geometry/link-path.ts';
import { isOnFoot } from './scene/cards/card-foot.ts';

/** The hit radius of a port: world px, with a minimum in CSS px. */
const portReach = { world: 11, screen: 10 };
/** The hit area of a group's edge and of its name above it: world px, with a minimum in CSS px. `letter` is the mean width of a letter. */
const groupEdge = { world: 6, screen: 6 } as const;
const groupName = { world: 30, screen: 22, letter: 9 } as const;
/** The hit distance of a link in CSS px, with a maximum in world px that leaves free canvas between cards at small zooms. */
const linkReach = { screen: 7, world: 24 };

/**
 * Returns the target under a world point: a port before a card, a card before a link, the topmost first; null on
 * empty canvas. Ports are hit only at zooms at which they are drawn, and the foot only of a card that is done.
 */
export function hitTest(index: DocumentIndex, point: Point, zoom: number, isDone: (nodeId: string) => boolean = () => false): Hover | null {
  return (
    (portsShown(zoom) ? portAt(index, point, zoom) : null) ??
    nodeAt(index, point, zoom, isDone) ??
    linkAt(index, point, zoom) ??
    groupAt(index, point, zoom)
  );
}

function portsShown(zoom: number): boolean {
  const level = detailLevel(zoom);
  return level === 'full' || level === 'compact';
}

function portAt(index: DocumentIndex, point: Point, zoom: number): Hover | null {
  const reach = Math.max(portReach.world, portReach.screen / zoom);
  for (const slot of index.nodes.overlapping(spot(point), reach)) {
    const node = index.nodes.records[slot] as CanvasNode;
    if (isFolded(node) && contains(index, slot, point)) return null;
    if (isAnnotation(node)) continue;
    for (const port of ['out', 'in'] as const) {
      const at = linkEnd(node, port);
      if (Math.hypot(at.x - point.x, at.y - point.y) <= reach) return { kind: 'port', id: node.id, port };
    }
    if (contains(index, slot, point)) return null;
  }
  return null;
}

function nodeAt(index: DocumentIndex, point: Point, zoom: number, isDone: (nodeId: string) => boolean): Hover | null {
  let note: string | null = null;
  for (const slot of index.nodes.overlapping(spot(point))) {
    const id = index.nodes.ids[slot] as string;
    const node = index.nodes.records[slot] as CanvasNode;
    if (isNote(node)) note ??= id;
    else if (isFolded(node)) return groupHit(node, point, zoom);
    else if (!isGroup(node)) return { kind: 'node', id, ...(isOnFoot(node, point, zoom) && isDone(id) && { part: 'foot' }) };
  }
  return note === null ? null : { kind: 'node', id: note };
}

function linkAt(index: DocumentIndex, point: Point, zoom: number): Hover | null {
  const id = linkNear(index, point, Math.min(linkReach.world, linkReach.screen / zoom), !portsShown(zoom));
  return id === null ? null : { kind: 'link', id };
}

/** Returns the nearest link within `reach` of a point (world px). `isFar`: the zoom shows no lanes. */
export function linkNear(
  { links, routes }: Pick<DocumentIndex, 'links' | 'routes'>,
  point: Point,
  reach: number,
  isFar = false,
): string | null {
  let nearest: { id: string; distance: number } | null = null;
  for (const slot of links.overlapping(spot(point), reach)) {
    const id = links.ids[slot] as string;
    const corners = routes.corners(id, isFar);
    if (!corners || !reaches(cornersExtent(corners), point, reach)) continue;
    const distance = distanceToLink(traceCorners(corners, 'round'), point);
    if (distance <= reach && (nearest === null || distance < nearest.distance)) nearest = { id, distance };
  }
  return nearest?.id ?? null;
}

function reaches({ left, top, right, bottom }: Rect, { x, y }: Point, reach: number): boolean {
  return x >= left - reach && x <= right + reach && y >= top - reach && y <= bottom + reach;
}

/** A group is hit at its edge and its name only. Its content and the free canvas inside it are hit as elsewhere. */
function groupAt(index: DocumentIndex, point: Point, zoom: number): Hover | null {
  const edge = Math.max(groupEdge.world, groupEdge.screen / zoom);
  const name = Math.max(groupName.world, groupName.screen / zoom);
  for (const slot of index.nodes.overlapping(spot(point), name)) {
    const node = index.nodes.records[slot] as CanvasNode;
    if (!isGroup(node) || isFolded(node)) continue;
    const { left, top, right, bottom } = index.nodes.box(slot);
    const { x, y } = point;
    const isNear = x >= left - edge && x <= right + edge && y >= top - edge && y <= bottom + edge;
    const isInside = x > left + edge && x < right - edge && y > top + edge && y < bottom - edge;
    const words = Math.min(right - left, node.title.length * Math.max(groupName.letter, groupName.letter / zoom) + name);
    const isOnName = y >= top - name && y <= top && x >= left - edge && x <= left + words;
    if ((isNear && !isInside) || isOnName) return groupHit(node, point, zoom);
  }
  return null;
}

function groupHit(group: CanvasNode, point: Point, zoom: number): Hover {
  return isOnFoldSign(group, point, zoom) ? { kind: 'node', id: group.id, part: 'foldSign' } : { kind: 'node', id: group.id };
}

function contains(index: DocumentIndex, slot: number, point: Point): boolean {
  const box = index.nodes.box(slot);
  return point.x >= box.left && point.x <= box.right && point.y >= box.top && point.y <= box.bottom;
}

function spot(point: Point) {
  return { left: point.x, top: point.y, right: point.x, bottom: point.y };
}
