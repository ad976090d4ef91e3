import { assignLayers } from './assign-layers.ts';
import { components } from './components.ts';
import type { LayoutBox, LayoutLink, Places } from './layout-box.ts';
import { orderLayers } from './order-layers.ts';
import { packBlocks } from './pack-blocks.ts';
import { placeLayers } from './place-layers.ts';

/**
 * Returns the places of boxes (world px, top-left) so that links lead from left to right: in columns, with few crossings, level with
 * their neighbours. Boxes do not overlap. A link leads right unless it closes a cycle. Components stay together, and the top-left
 * corner of the whole keeps its place. The same boxes give the same places, in any order.
 */
export function layeredLayout(boxes: readonly LayoutBox[], links: readonly LayoutLink[]): Places {
  const sorted = [...boxes].sort((a, b) => a.y - b.y || a.x - b.x || (a.id < b.id ? -1 : 1));
  const place = new Map(sorted.map((box, at) => [box.id, at]));
  const edges = validEdges(links, place);
  const blocks = components(sorted.length, edges).map(({ members, edges: inner }) => {
    const { layers, forward } = assignLayers(members, inner);
    orderLayers(layers, forward);
    return placeLayers(layers, forward, sorted);
  });
  const corner = {
    x: sorted.reduce((least, box) => Math.min(least, box.x), Number.POSITIVE_INFINITY),
    y: sorted.reduce((least, box) => Math.min(least, box.y), Number.POSITIVE_INFINITY),
  };
  const places: Places = new Map();
  for (const { block, x, y } of packBlocks(blocks)) {
    for (const [at, inside] of block.places) {
      places.set((sorted[at] as LayoutBox).id, { x: Math.round(corner.x + x + inside.x), y: Math.round(corner.y + y + inside.y) });
    }
  }
  return places;
}

/** Returns the links between different boxes by their indices, each once, in an order that depends only on the indices. */
function validEdges(links: readonly LayoutLink[], place: ReadonlyMap<string, number>): [number, number][] {
  const known = new Map<string, [number, number]>();
  for (const { from, to } of links) {
    const a = place.get(from);
    const b = place.get(to);
    if (a !== undefined && b !== undefined && a !== b) known.set(`${a} ${b}`, [a, b]);
  }
  return [...known.values()].sort((p, q) => p[0] - q[0] || p[1] - q[1]);
}
