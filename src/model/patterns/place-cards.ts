import type { CanvasDocument, CanvasNode } from '../../../contract/canvas.ts';
import { isGroup } from '../../../rules/card.ts';
import { type Box, boundsOf, boxOf, liesIn, padded } from '../document/annotations.ts';
import { clampToCanvas, findFreePlace, type Point } from '../document/auto-placement.ts';
import { isNear, makeRoom } from '../document/make-room.ts';
import { nodeSize } from '../document/node-size.ts';
import type { PatternCard } from './pattern-shapes.ts';

/** World px: a link with a label needs the gap between its cards, and a link back the distance of rows. */
const columnGap = 120;
const rowStep = 240;
/** What lies above and below cards: links back, and the name of a group. */
const lane = 64;
/** The distance of places that are tried above and below, and their number. */
const tryStep = 60;
const tries = 60;

const agent = nodeSize({ type: 'agent' });
const dialog = nodeSize({ type: 'dialog' });

type Placing = {
  cards: readonly PatternCard[];
  lead: CanvasNode | null;
  hasDialog: boolean;
  /** The card that the pattern is put before. */
  behind: CanvasNode | null;
  at: Point | undefined;
};

/** Places of a pattern's cards in their order, and of its dialog. `changed`: nodes that make room. */
type Places = { of: Point[]; dialog: Point; changed: CanvasNode[] };

/** Returns places right of the card before, clear of other cards. What lies behind the pattern moves to the right. */
export function placeCards(document: CanvasDocument, { cards, lead, hasDialog, behind, at }: Placing): Places {
  const size = sizeOf(cards, hasDialog);
  const begin = beginOf(document, { cards, lead, hasDialog, at, size });
  const homes = lead ? Object.values(document.nodes).filter((group) => isGroup(group) && liesIn(lead, boxOf(group))) : [];
  const edge = lead ? lead.x + nodeSize(lead).width : Number.NEGATIVE_INFINITY;
  const needs = begin.x + size.right + columnGap;
  const moved = behind && behind.x >= edge ? makeRoom(document, { first: behind.id, cut: edge, by: needs - behind.x }) : [];
  const nodes = Object.values({ ...document.nodes, ...Object.fromEntries(moved.map((node) => [node.id, node])) });
  const homeIds = new Set(homes.map(({ id }) => id));
  const home = nodes.filter(({ id }) => homeIds.has(id));
  const others = nodes.filter((node) => !isGroup(node) || (node.forEach && !homeIds.has(node.id))).map(boxOf);
  const boxesAt = (dy: number) => cards.map((card) => boxAt({ x: begin.x, y: begin.y + dy }, card));
  const dialogAt = (dy: number) => ({ x: begin.x - columnGap - dialog.width, y: begin.y + dy - dialog.height / 2 });
  const isClear = (dy: number) => {
    const cardBoxes = hasDialog ? [...boxesAt(dy), { ...dialogAt(dy), ...dialog }] : boxesAt(dy);
    const all = cardBoxes.map((box) => ({ ...box, y: box.y - lane, height: box.height + 2 * lane }));
    if (all.some((box) => others.some((other) => isNear(box, other)))) return false;
    return !home.some((group) => swallows(group, grownAround(group, boxesAt(dy)), nodes));
  };
  const dy = offsets.find(isClear) ?? Math.max(0, ...others.map(({ y, height }) => y + height)) + size.height - begin.y;
  const grown = home.map((group) => grownAround(group, boxesAt(dy)));
  return {
    of: cards.map((card) => cornerAt({ x: begin.x, y: begin.y + dy }, card)),
    dialog: dialogAt(dy),
    changed: [...moved.filter(({ id }) => !homeIds.has(id)), ...grown],
  };
}

/** The left edge of the first column, and the height of its ports. */
function beginOf({ nodes }: CanvasDocument, { cards, lead, hasDialog, at, size }: Omit<Placing, 'behind'> & { size: Extent }): Point {
  const aside = hasDialog ? dialog.width + columnGap : 0;
  if (at) {
    const corner = clampToCanvas(at);
    const first = hasDialog ? { x: -aside, y: -dialog.height / 2 } : cornerAt({ x: 0, y: 0 }, cards[0]);
    return { x: corner.x - first.x, y: corner.y - first.y };
  }
  if (lead) return { x: lead.x + nodeSize(lead).width + columnGap, y: lead.y + nodeSize(lead).height / 2 };
  const free = findFreePlace(nodes, { width: aside + size.right, height: size.height });
  return { x: free.x + aside, y: free.y + size.height / 2 };
}

type Extent = { right: number; height: number };

function sizeOf(cards: readonly PatternCard[], hasDialog: boolean): Extent {
  const bounds = boundsOf(cards.map((card) => boxAt({ x: 0, y: 0 }, card)));
  return { right: bounds ? bounds.x + bounds.width : 0, height: Math.max(bounds?.height ?? 0, hasDialog ? dialog.height : 0) };
}

function cornerAt(begin: Point, card: PatternCard | undefined): Point {
  const { column = 0, row = 0 } = card ?? {};
  return { x: begin.x + column * (agent.width + columnGap), y: begin.y + row * rowStep - agent.height / 2 };
}

/** The box of a card, with the group around it. */
function boxAt(begin: Point, card: PatternCard): Box {
  const box = { ...cornerAt(begin, card), ...agent };
  return card.isItem ? padded(box) : box;
}

/** A group of the card before holds the pattern too. */
function grownAround(group: CanvasNode, boxes: readonly Box[]): CanvasNode {
  return { ...group, ...boundsOf([boxOf(group), ...boxes.map(padded)]) };
}

/** Whether a group that grows would hold nodes that it does not hold. */
function swallows(group: CanvasNode, grown: CanvasNode, nodes: readonly CanvasNode[]): boolean {
  return nodes.some((node) => !isGroup(node) && liesIn(node, boxOf(grown)) && !liesIn(node, boxOf(group)));
}

/** From the middle outwards. */
const offsets: readonly number[] = Array.from({ length: 2 * tries + 1 }, (_, at) => Math.ceil(at / 2) * tryStep * (at % 2 ? 1 : -1));
