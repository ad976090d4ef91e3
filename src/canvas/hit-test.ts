import type { CanvasNode, Connection } from '../../contract/canvas.ts';
import { portPosition } from '../model/node-size.ts';
import type { Hover } from './canvas-view.ts';
import type { Point } from './geometry/camera.ts';
import type { DocumentIndex } from './geometry/document-index.ts';
import { detailLevel } from './geometry/level-of-detail.ts';
import { linkEnd } from './geometry/link-end.ts';
import { distanceToLink, linkPath } from './geometry/link-path.ts';

/** How near counts as on a port: world px, but never less than so many CSS px. */
const portReach = { world: 11, screen: 10 };
/** To either side of a link: CSS px, but never more world px than leave free canvas between cards when seen from afar. */
const linkReach = { screen: 7, world: 24 };

/**
 * What is under a world point: a port before a card, a card before a link, what lies on top before what lies below; null on
 * empty canvas. Ports answer only at zooms at which they are drawn.
 */
export function hitTest(index: DocumentIndex, point: Point, zoom: number): Hover | null {
  return (portsShown(zoom) ? portAt(index, point, zoom) : null) ?? nodeAt(index, point) ?? linkAt(index, point, zoom);
}

function portsShown(zoom: number): boolean {
  const level = detailLevel(zoom);
  return level === 'full' || level === 'compact';
}

function portAt(index: DocumentIndex, point: Point, zoom: number): Hover | null {
  const reach = Math.max(portReach.world, portReach.screen / zoom);
  for (const slot of index.nodes.overlapping(spot(point), reach)) {
    const node = index.nodes.records[slot] as CanvasNode;
    for (const port of ['out', 'in'] as const) {
      const at = portPosition(node, port);
      if (Math.hypot(at.x - point.x, at.y - point.y) <= reach) return { kind: 'port', id: node.id, port };
    }
    if (contains(index, slot, point)) return null;
  }
  return null;
}

function nodeAt(index: DocumentIndex, point: Point): Hover | null {
  for (const slot of index.nodes.overlapping(spot(point))) return { kind: 'node', id: index.nodes.ids[slot] as string };
  return null;
}

function linkAt(index: DocumentIndex, point: Point, zoom: number): Hover | null {
  const reach = Math.min(linkReach.world, linkReach.screen / zoom);
  let nearest: { id: string; distance: number } | null = null;
  for (const slot of index.links.overlapping(spot(point), reach)) {
    const link = index.links.records[slot] as Connection;
    const from = index.nodes.get(link.from.agentId);
    const to = index.nodes.get(link.to.agentId);
    if (!from || !to) continue;
    const distance = distanceToLink(linkPath(linkEnd(from, 'out'), linkEnd(to, 'in')), point);
    if (distance <= reach && (nearest === null || distance < nearest.distance)) nearest = { id: link.id, distance };
  }
  return nearest && { kind: 'link', id: nearest.id };
}

function contains(index: DocumentIndex, slot: number, point: Point): boolean {
  const box = index.nodes.box(slot);
  return point.x >= box.left && point.x <= box.right && point.y >= box.top && point.y <= box.bottom;
}

function spot(point: Point) {
  return { left: point.x, top: point.y, right: point.x, bottom: point.y };
}
