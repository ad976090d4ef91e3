import type { CanvasNode } from '../../../contract/canvas.ts';
import { isGroup, isStarter } from '../../../rules/card.ts';
import { failed, type Outcome } from '../problem.ts';
import { type Box, boundsOf, boxOf, withContents } from './annotations.ts';
import type { Point } from './auto-placement.ts';
import { clearShift } from './clear-place.ts';
import { copyCards } from './copy-cards.ts';
import { type Edited, type EditOf, edited, isPlace } from './edit-command.ts';
import { newLink } from './links/link-rules.ts';
import { linksBehind, linksFrom } from './links/loop-commands.ts';
import { type PlacedCards, type PlacingContext, placeItem } from './place-item.ts';
import { type CanvasExcerpt, readCanvasText } from './read-canvas-text.ts';
import type { WorkingDocument } from './working-document.ts';

export function placeNodes(
  working: WorkingDocument,
  { item, at, after }: EditOf<'node.place'>,
  context: Omit<PlacingContext, 'nodes'>,
): Outcome<Edited> {
  // Another tab may have removed it while its menu was open.
  if (after !== undefined && !working.node(after)) return failed('link.sourceMissing');
  const cards = placeItem(item, at, { ...context, nodes: working.document.nodes });
  if (!cards.ok) return cards;
  const [first] = cards.value.nodes;
  const own =
    after !== undefined && first && item.kind === 'flow' && isStarter(first)
      ? withoutStart(cards.value, first, at)
      : { ...cards.value, led: [] };
  const [lead] = own.nodes;
  const behind = after !== undefined && lead ? linksBehind(working, after, lead, context) : { links: [], nodes: [] };
  const [led] = behind.links;
  const others = after === undefined ? [] : own.led.slice(1).map((to) => ({ from: after, to, ...(led?.run && { run: led.run }) }));
  const links = behind.links.map(({ from, to, run }) => ({ from: from.agentId, to: to.agentId, ...(run && { run }) }));
  const placed = { ...own, links: [...links, ...others, ...own.links], nodes: [...own.nodes, ...behind.nodes] };
  const done = put(working, placed, context.newId);
  if (!done.ok) return done;
  const nodeIds = own.nodes.map(({ id }) => id);
  return { ok: true, value: { ...done.value, result: { ...done.value.result, nodeIds } } };
}

/** A flow behind a card has no start of its own: the card leads to what its start leads to, which stands in its place. */
function withoutStart(flow: PlacedCards, start: CanvasNode, at: Point = start): PlacedCards & { led: string[] } {
  const led = flow.links.flatMap(({ from, to }) => (from === start.id ? to : []));
  const nodes = flow.nodes.filter(({ id }) => id !== start.id);
  const left = Math.min(...nodes.map(({ x }) => x));
  const order = (id: string) => (led.includes(id) ? led.indexOf(id) : led.length);
  return {
    ...flow,
    led,
    links: flow.links.filter(({ from }) => from !== start.id),
    nodes: nodes
      .map((node) => ({ ...node, x: node.x + at.x - left, y: node.y + at.y - start.y }))
      .sort((a, b) => order(a.id) - order(b.id)),
  };
}

type CopyCommand = EditOf<'nodes.paste' | 'nodes.duplicate' | 'canvas.replace'>;

export function isCopying(command: { type: string }): command is CopyCommand {
  return command.type === 'nodes.paste' || command.type === 'nodes.duplicate' || command.type === 'canvas.replace';
}

export function copyNodes(working: WorkingDocument, command: CopyCommand, context: Omit<PlacingContext, 'nodes'>): Outcome<Edited> {
  const planned = planCopies(working, command, context);
  if (!planned.ok) return planned;
  return put(working, planned.value, context.newId, command.type === 'canvas.replace' ? Object.keys(working.document.nodes) : []);
}

/** Returns the copies that a command would make, and the agents that they lack. */
export function planCopies(working: WorkingDocument, command: CopyCommand, context: Omit<PlacingContext, 'nodes'>): Outcome<PlacedCards> {
  const copied = copiedBy(working, command);
  // Every agent is free for the nodes of a canvas that replaces all others.
  const nodes = command.type === 'canvas.replace' ? {} : working.document.nodes;
  return copied.ok ? { ok: true, value: copyCards(copied.value.excerpt, copied.value.shift, { ...context, nodes }) } : copied;
}

/** Returns what a command copies, and how far the copies are moved. */
function copiedBy(working: WorkingDocument, command: CopyCommand): Outcome<{ excerpt: CanvasExcerpt; shift: Point }> {
  if (command.type === 'nodes.duplicate') {
    const { nodeIds, dx, dy } = command;
    if (!isPlace({ x: dx, y: dy })) return failed('drop.notFinite');
    const ids = withContents(working.document.nodes, new Set(nodeIds));
    const nodes = [...ids].flatMap((id) => working.node(id) ?? []);
    const connections = nodes.flatMap(({ id }) => linksFrom(working)(id).filter(({ to }) => ids.has(to.agentId)));
    return { ok: true, value: { excerpt: { nodes, connections }, shift: { x: dx, y: dy } } };
  }
  const at = command.type === 'nodes.paste' ? command.at : { x: 0, y: 0 };
  if (at && !isPlace(at)) return failed('drop.notFinite');
  const excerpt = readCanvasText(command.text);
  if (!excerpt.ok) return excerpt;
  if (command.type === 'canvas.replace') return { ok: true, value: { excerpt: excerpt.value, shift: { x: 0, y: 0 } } };
  const box = boundsOf(excerpt.value.nodes.map(boxOf)) as Box;
  const from = at ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : { x: box.x, y: box.y };
  const present = Object.values(working.document.nodes);
  const to = at ?? besideAll(present);
  const shift = { x: Math.round(to.x - from.x), y: Math.round(to.y - from.y) };
  // Cards may be pasted into a group.
  const others = present.filter((node) => !isGroup(node)).map(boxOf);
  const aside = clearShift({ ...box, x: box.x + shift.x, y: box.y + shift.y }, others);
  return { ok: true, value: { excerpt: excerpt.value, shift: { x: shift.x + aside.x, y: shift.y + aside.y } } };
}

/** Adds nodes and removes others, in one change. */
function put(
  working: WorkingDocument,
  { nodes, links, unmatched, skipped }: PlacedCards,
  newId: () => string,
  gone: readonly string[] = [],
): Outcome<Edited> {
  if (!nodes.every(isPlace)) return failed('drop.notFinite');
  const connections = links.map(({ from, to, run }) => ({ ...newLink(working, from, to, newId), ...(run && { run }) }));
  const change = working.edit((edit) => {
    for (const id of gone) edit.removeNode(id);
    for (const node of nodes) edit.setNode(node);
    for (const link of connections) edit.setLink(link);
  });
  const placed = edited(change, { nodeIds: nodes.map((node) => node.id), connectionIds: connections.map((link) => link.id) });
  if (!placed.ok) return placed;
  return { ok: true, value: { ...placed.value, ...(unmatched.length > 0 && { unmatched }), ...(skipped.length > 0 && { skipped }) } };
}

/** World px between the existing nodes and those placed beside them. */
const besideGap = 120;

/** Returns the corner of new nodes without a given place. */
function besideAll(nodes: readonly CanvasNode[]): { x: number; y: number } {
  const box = boundsOf(nodes.map(boxOf));
  return box ? { x: box.x + box.width + besideGap, y: box.y } : { x: 0, y: 0 };
}
