import type { CanvasMoment, Hover } from './canvas-view.ts';
import { type Point, toScreen, toWorld } from './geometry/camera.ts';
import type { DocumentIndex } from './geometry/document-index.ts';

/** What a context menu is about. */
export type MenuTarget = { kind: 'canvas' } | { kind: 'node'; id: string } | { kind: 'link'; id: string } | { kind: 'selection' };

/** A context menu asked for: `at` in CSS px of the canvas, `world` the same place in world px. */
export type MenuRequest = { target: MenuTarget; at: Point; world: Point };

type Asked = { request: MenuRequest; moment: Partial<CanvasMoment> };

/** The menu for what was pressed: of the whole selection when it belongs to one of several, else of the thing alone, which becomes the selection. */
export function menuAtPoint(hit: Hover | null, at: Point, moment: CanvasMoment): Asked {
  const place = { at, world: toWorld(moment.camera, at) };
  if (hit === null) return { request: { target: { kind: 'canvas' }, ...place }, moment: { hover: null, ...nothingSelected } };
  const { selectedNodes, selectedLinks } = moment;
  const isLink = hit.kind === 'link';
  const isSelected = (isLink ? selectedLinks : selectedNodes).has(hit.id);
  if (isSelected && selectedNodes.size + selectedLinks.size > 1) {
    return { request: { target: { kind: 'selection' }, ...place }, moment: { hover: null } };
  }
  return {
    request: { target: { kind: isLink ? 'link' : 'node', id: hit.id }, ...place },
    moment: { hover: null, selectedNodes: isLink ? none : new Set([hit.id]), selectedLinks: isLink ? new Set([hit.id]) : none },
  };
}

/** The menu that the keyboard asks for: of what is selected, at its middle or as near to that as can be seen. */
export function menuOfSelection(moment: CanvasMoment, index: DocumentIndex): MenuRequest {
  const { selectedNodes, selectedLinks } = moment;
  const [nodeId] = selectedNodes;
  const [linkId] = selectedLinks;
  const slot = nodeId === undefined ? undefined : index.nodes.slotOf(nodeId);
  const linkSlot = linkId === undefined ? undefined : index.links.slotOf(linkId);
  const box = slot !== undefined ? index.nodes.box(slot) : linkSlot !== undefined ? index.links.box(linkSlot) : null;
  const at = inView(box ? toScreen(moment.camera, { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 }) : null, moment);
  return { target: selectionTarget(selectedNodes, selectedLinks), at, world: toWorld(moment.camera, at) };
}

function selectionTarget(nodes: ReadonlySet<string>, links: ReadonlySet<string>): MenuTarget {
  const [nodeId] = nodes;
  const [linkId] = links;
  if (nodes.size + links.size > 1) return { kind: 'selection' };
  if (nodeId !== undefined) return { kind: 'node', id: nodeId };
  return linkId === undefined ? { kind: 'canvas' } : { kind: 'link', id: linkId };
}

/** A point held to what the panels leave free; its middle for none. */
function inView(point: Point | null, { size, insets }: CanvasMoment): Point {
  const right = size.width - insets.right;
  const bottom = size.height - insets.bottom;
  if (!point) return { x: (insets.left + right) / 2, y: (insets.top + bottom) / 2 };
  return { x: Math.min(right, Math.max(insets.left, point.x)), y: Math.min(bottom, Math.max(insets.top, point.y)) };
}

const none: ReadonlySet<string> = new Set();
const nothingSelected = { selectedNodes: none, selectedLinks: none };
