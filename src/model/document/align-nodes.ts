import type { CanvasDocument, CanvasNode } from '../../../contract/canvas.ts';
import { isGroup } from '../../../rules/card.ts';
import type { Alignment, Distribution } from '../commands.ts';
import { failed, type Outcome } from '../problem.ts';
import { type Box, boundsOf, boxOf, withContents } from './annotations.ts';
import { type Edited, edited, isPlace } from './edit-command.ts';
import { foldedSize } from './node-size.ts';
import type { WorkingDocument } from './working-document.ts';

/** Two nodes are needed to align, and three to distribute: the outer ones stay. */
const nodesToAlign = 2;
const nodesToDistribute = 3;

type Shift = { x: number; y: number };
/** A node that is moved, with the box that it is shown in. */
type Block = { id: string; box: Box };
/** `folded`: the groups among the nodes that are shown as cards. */
type Chosen = { nodeIds: readonly string[]; folded: readonly string[] };

/** Moves nodes to a common edge or middle, groups with their contents. */
export function alignNodes(working: WorkingDocument, { to, ...chosen }: Chosen & { to: Alignment }): Outcome<Edited> {
  const blocks = blocksOf(working.document.nodes, chosen);
  const around = boundsOf(blocks.map(({ box }) => box));
  if (!around || blocks.length < nodesToAlign) return edited(null, undefined);
  return moveBlocks(working, new Map(blocks.map(({ id, box }) => [id, shiftTo[to](box, around)])));
}

/** Makes the gaps between nodes the same, in the order in which they lie. The first and the last node stay. */
export function distributeNodes(working: WorkingDocument, { along, ...chosen }: Chosen & { along: Distribution }): Outcome<Edited> {
  const [start, length] = along === 'horizontally' ? (['x', 'width'] as const) : (['y', 'height'] as const);
  const middle = (box: Box) => box[start] + box[length] / 2;
  const blocks = blocksOf(working.document.nodes, chosen).sort((a, b) => middle(a.box) - middle(b.box) || (a.id < b.id ? -1 : 1));
  const [first, last] = [blocks[0]?.box, blocks.at(-1)?.box];
  if (!first || !last || blocks.length < nodesToDistribute) return edited(null, undefined);
  const taken = blocks.reduce((sum, { box }) => sum + box[length], 0);
  const gap = (last[start] + last[length] - first[start] - taken) / (blocks.length - 1);
  const shifts = new Map<string, Shift>();
  let at = first[start];
  for (const { id, box } of blocks) {
    const shift = Math.round(at) - box[start];
    shifts.set(id, along === 'horizontally' ? { x: shift, y: 0 } : { x: 0, y: shift });
    at += box[length] + gap;
  }
  shifts.set(blocks.at(-1)?.id ?? '', { x: 0, y: 0 });
  return moveBlocks(working, shifts);
}

const shiftTo: Record<Alignment, (box: Box, around: Box) => Shift> = {
  left: (box, around) => ({ x: around.x - box.x, y: 0 }),
  centre: (box, around) => ({ x: Math.round(around.x + (around.width - box.width) / 2) - box.x, y: 0 }),
  right: (box, around) => ({ x: around.x + around.width - box.width - box.x, y: 0 }),
  top: (box, around) => ({ x: 0, y: around.y - box.y }),
  middle: (box, around) => ({ x: 0, y: Math.round(around.y + (around.height - box.height) / 2) - box.y }),
  bottom: (box, around) => ({ x: 0, y: around.y + around.height - box.height - box.y }),
};

/** The chosen nodes without those that lie in a chosen group: these move with it. */
function blocksOf(nodes: CanvasDocument['nodes'], { nodeIds, folded }: Chosen): Block[] {
  const asCards = new Set(folded);
  const inside = new Set<string>();
  for (const id of nodeIds) {
    if (!isGroup(nodes[id])) continue;
    for (const held of withContents(nodes, new Set([id]))) if (held !== id) inside.add(held);
  }
  return nodeIds.flatMap((id) => {
    const node = nodes[id];
    if (!node || inside.has(id)) return [];
    return { id, box: asCards.has(id) ? { x: node.x, y: node.y, ...foldedSize } : boxOf(node) };
  });
}

function moveBlocks(working: WorkingDocument, shifts: ReadonlyMap<string, Shift>): Outcome<Edited> {
  const moved = new Map<string, CanvasNode>();
  for (const [id, { x, y }] of shifts)
    for (const held of withContents(working.document.nodes, new Set([id]))) {
      const node = working.node(held);
      if (node && (x !== 0 || y !== 0)) moved.set(held, { ...node, x: node.x + x, y: node.y + y });
    }
  if (![...moved.values()].every(isPlace)) return failed('drop.notFinite');
  const change = working.edit((edit) => {
    for (const node of moved.values()) edit.setNode(node);
  });
  return edited(change, undefined);
}
