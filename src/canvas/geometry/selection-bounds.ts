import type { CanvasDocument } from '../../../contract/canvas.ts';
import type { EphemeralState } from '../canvas-view.ts';
import type { Rect } from './camera.ts';
import { linkBox, nodeBox, unionBox } from './document-bounds.ts';

/** The box round the selected cards and links (world px); null when nothing is selected. */
export function selectionBounds(
  { nodes, connections }: CanvasDocument,
  { selectedNodes, selectedLinks }: Pick<EphemeralState, 'selectedNodes' | 'selectedLinks'>,
): Rect | null {
  let bounds: Rect | null = null;
  for (const id of selectedNodes) if (nodes[id]) bounds = unionBox(bounds, nodeBox(nodes[id]));
  for (const id of selectedLinks) {
    const link = connections[id];
    const from = link && nodes[link.from.agentId];
    const to = link && nodes[link.to.agentId];
    if (from && to) bounds = unionBox(bounds, linkBox(from, to));
  }
  return bounds;
}
