import type { CanvasDocument } from '../../../contract/canvas.ts';
import { type Box, boxOf, groupPadding, liesIn } from '../document/annotations.ts';

/** The groups that are not laid out themselves, as large as it takes to hold those of their own that are; only those that have to grow. */
export function grownGroups(nodes: CanvasDocument['nodes'], places: ReadonlyMap<string, Box>): Map<string, Box> {
  const grown = new Map<string, Box>();
  const groups = Object.values(nodes).filter(({ id, type }) => type === 'group' && !places.has(id));
  const area = ({ width, height }: Box) => width * height;
  // Inner ones first: a group grows round those in it that have grown.
  for (const group of groups.sort((a, b) => area(boxOf(a)) - area(boxOf(b)))) {
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

/** The box itself where it holds the inner one with room to spare, else as much larger as that takes. */
function around(box: Box, inner: Box): Box {
  const x = Math.min(box.x, inner.x - groupPadding);
  const y = Math.min(box.y, inner.y - groupPadding);
  const right = Math.max(box.x + box.width, inner.x + inner.width + groupPadding);
  const bottom = Math.max(box.y + box.height, inner.y + inner.height + groupPadding);
  const same = x === box.x && y === box.y && right === box.x + box.width && bottom === box.y + box.height;
  return same ? box : { x, y, width: right - x, height: bottom - y };
}
