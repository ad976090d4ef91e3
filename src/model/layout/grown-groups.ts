import type { CanvasDocument } from '../../../contract/canvas.ts';
import { isGroup } from '../../../rules/card.ts';
import { areaOf, type Box, boxOf, groupPadding, liesIn } from '../document/annotations.ts';

/** Returns the groups that are not laid out themselves but have to grow around their laid-out contents, with their new boxes. */
export function grownGroups(nodes: CanvasDocument['nodes'], places: ReadonlyMap<string, Box>): Map<string, Box> {
  const grown = new Map<string, Box>();
  const groups = Object.values(nodes).filter((node) => isGroup(node) && !places.has(node.id));
  // Inner groups first: a group grows around inner groups that have grown.
  for (const group of groups.sort((a, b) => areaOf(boxOf(a)) - areaOf(boxOf(b)))) {
    const before = boxOf(group);
    let now = before;
    for (const [id, place] of [...places, ...grown]) {
      const node = nodes[id];
      if (node && liesIn(node, before)) now = around(now, place);
    }
    if (now !== before) grown.set(group.id, now);
  }
  return grown;
}

/** Returns the box itself if it contains the inner one with a margin, else a box large enough. */
function around(box: Box, inner: Box): Box {
  const x = Math.min(box.x, inner.x - groupPadding);
  const y = Math.min(box.y, inner.y - groupPadding);
  const right = Math.max(box.x + box.width, inner.x + inner.width + groupPadding);
  const bottom = Math.max(box.y + box.height, inner.y + inner.height + groupPadding);
  const same = x === box.x && y === box.y && right === box.x + box.width && bottom === box.y + box.height;
  return same ? box : { x, y, width: right - x, height: bottom - y };
}
