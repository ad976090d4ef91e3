import type { EphemeralState, Hover } from './canvas-view.ts';
import { type Point, toScreen, toWorld } from './geometry/camera.ts';
import type { DocumentIndex } from './geometry/document-index.ts';
import { linkEnd } from './geometry/link-end.ts';
import type { LinkDrop } from './tools/tool.ts';

/**
 * The target of a context menu. `near`: the card that was selected alone. `drop`: a link from a card that ends on an empty place, or on the
 * folded group `into`.
 */
export type MenuTarget =
  | { kind: 'canvas'; near?: string }
  | { kind: 'node'; id: string }
  | { kind: 'link'; id: string }
  | { kind: 'selection' }
  | ({ kind: 'drop' } & Omit<LinkDrop, 'at'>);

/** A request for a context menu: `at` in CSS px of the canvas, `world` the same place in world px. `clearOf`: what it leaves uncovered (CSS px). */
export type MenuRequest = { target: MenuTarget; at: Point; world: Point; clearOf?: Point };

type OpenedMenu = { request: MenuRequest; ephemeral: Partial<EphemeralState> };

/**
 * Returns the menu for a pressed target. It is for the whole selection if the target is one of several selected. Else the target gets
 * selected, and the menu is for it alone. `linkIds`: the links that a pressed line stands for, if they are several.
 */
export function menuAtPoint(hit: Hover | null, at: Point, ephemeral: EphemeralState, linkIds: readonly string[] = []): OpenedMenu {
  const place = { at, world: toWorld(ephemeral.camera, at) };
  const { selectedNodes, selectedLinks } = ephemeral;
  if (hit === null) {
    const [near] = selectedNodes.size === 1 ? selectedNodes : [];
    const target: MenuTarget = { kind: 'canvas', ...(near !== undefined && { near }) };
    return { request: { target, ...place }, ephemeral: { hover: null, ...nothingSelected } };
  }
  const isLink = hit.kind === 'link';
  const isSelected = (isLink ? selectedLinks : selectedNodes).has(hit.id);
  if (isSelected && selectedNodes.size + selectedLinks.size > 1) {
    return { request: { target: { kind: 'selection' }, ...place }, ephemeral: { hover: null } };
  }
  if (isLink && linkIds.length > 1) {
    return {
      request: { target: { kind: 'selection' }, ...place },
      ephemeral: { hover: null, selectedNodes: none, selectedLinks: new Set(linkIds) },
    };
  }
  return {
    request: { target: { kind: isLink ? 'link' : 'node', id: hit.id }, ...place },
    ephemeral: { hover: null, selectedNodes: isLink ? none : new Set([hit.id]), selectedLinks: isLink ? new Set([hit.id]) : none },
  };
}

/** The menu of a link that ends where it has no card of its own yet. It leaves the port at the link's other end uncovered. */
export function menuOfDrop({ at, ...drop }: LinkDrop, { camera }: Pick<EphemeralState, 'camera'>, { nodes }: DocumentIndex): MenuRequest {
  const card = nodes.get(drop.from);
  const port = drop.redrawn?.end === 'from' ? 'in' : 'out';
  return {
    target: { kind: 'drop', ...drop },
    at,
    world: toWorld(camera, at),
    ...(card && { clearOf: toScreen(camera, linkEnd(card, port)) }),
  };
}

/** The menu opened by the keyboard: for the selection, at the visible point nearest to its middle. */
export function menuOfSelection(ephemeral: EphemeralState, index: DocumentIndex): MenuRequest {
  const { selectedNodes, selectedLinks } = ephemeral;
  const [nodeId] = selectedNodes;
  const [linkId] = selectedLinks;
  const slot = nodeId === undefined ? undefined : index.nodes.slotOf(nodeId);
  const box = slot !== undefined ? index.nodes.box(slot) : linkId !== undefined ? index.routes.extent(linkId) : null;
  const at = inView(box ? toScreen(ephemeral.camera, { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 }) : null, ephemeral);
  return { target: selectionTarget(selectedNodes, selectedLinks), at, world: toWorld(ephemeral.camera, at) };
}

function selectionTarget(nodes: ReadonlySet<string>, links: ReadonlySet<string>): MenuTarget {
  const [nodeId] = nodes;
  const [linkId] = links;
  if (nodes.size + links.size > 1) return { kind: 'selection' };
  if (nodeId !== undefined) return { kind: 'node', id: nodeId };
  return linkId === undefined ? { kind: 'canvas' } : { kind: 'link', id: linkId };
}

/** A point clamped to the area that panels leave free; the area's middle without a point. */
function inView(point: Point | null, { size, insets }: EphemeralState): Point {
  const right = size.width - insets.right;
  const bottom = size.height - insets.bottom;
  if (!point) return { x: (insets.left + right) / 2, y: (insets.top + bottom) / 2 };
  return { x: Math.min(right, Math.max(insets.left, point.x)), y: Math.min(bottom, Math.max(insets.top, point.y)) };
}

const none: ReadonlySet<string> = new Set();
const nothingSelected = { selectedNodes: none, selectedLinks: none };
