import type { CanvasNode, Connection } from '../../../../contract/canvas.ts';
import type { DocumentCommand } from '../../commands.ts';
import { failed, type Outcome } from '../../problem.ts';
import { type Edited, edited, isPlace } from '../edit-command.ts';
import { makeRoom } from '../make-room.ts';
import { nodeSize } from '../node-size.ts';
import type { NodeTexts, PlacingContext } from '../place-item.ts';
import type { WorkingDocument } from '../working-document.ts';
import { linkProblem, newLink } from './link-rules.ts';
import { changeBack, drawnLink, isNewPerson, withButton } from './loop-commands.ts';

type CommandOf<T extends DocumentCommand['type']> = Extract<DocumentCommand, { type: T }>;

/** A link whose end is drawn to another card is drawn anew with its settings: it is a review loop where it leads back, and none elsewhere. */
export function moveLinkEnd(working: WorkingDocument, { id, end, nodeId }: CommandOf<'link.end'>, texts: NodeTexts): Outcome<Edited> {
  const link = working.link(id);
  if (!link) return failed('link.unknown');
  if (link[end].agentId === nodeId) return edited(null, undefined);
  const ends = { from: link.from.agentId, to: link.to.agentId, [end]: nodeId };
  const problem = linkProblem(working, ends.from, ends.to);
  if (problem) return { ok: false, error: problem };
  const { maxRounds: _rounds, atLimit: _atLimit, ...kept } = link.run ?? {};
  const { run: _run, ...plain } = link;
  const moved: Connection = {
    ...plain,
    from: { ...link.from, agentId: ends.from },
    to: { ...link.to, agentId: ends.to },
    ...(Object.keys(kept).length > 0 && { run: kept }),
  };
  const { links, nodes } = drawnLink(working, moved, texts);
  const [drawn] = links;
  const isLoop = drawn?.run?.maxRounds !== undefined && link.run?.maxRounds === undefined;
  const change = working.edit((edit) => {
    for (const one of links) edit.setLink(one);
    for (const node of nodes) edit.setNode(node);
  });
  return edited(change, { connectionIds: [id], ...(isLoop && { loopIds: [id] }) });
}

/**
 * The first half keeps the link's id and what it says of its start; a review loop goes on from the new card. Where the card would cover a
 * port of its neighbours, it moves away from the first, and what lies behind makes room.
 */
export function insertNode(
  working: WorkingDocument,
  { id, x, y, linkId }: CommandOf<'node.insert'>,
  context: Pick<PlacingContext, 'newId' | 'texts'>,
): Outcome<Edited> {
  const node = working.node(id);
  const link = working.link(linkId);
  if (!node) return failed('node.unknown');
  if (!link) return failed('link.unknown');
  if (!isPlace({ x, y })) return failed('drop.notFinite');
  for (const [from, to] of [
    [link.from.agentId, id],
    [id, link.to.agentId],
  ] as const) {
    const problem = linkProblem(working, from, to);
    if (problem) return { ok: false, error: problem };
  }
  const { maxRounds, atLimit, ...said } = link.run ?? {};
  const { run: _run, ...plain } = link;
  const first: Connection = { ...plain, to: { ...link.to, agentId: id }, ...(Object.keys(said).length > 0 && { run: said }) };
  const second: Connection = {
    ...newLink(working, id, link.to.agentId, context.newId),
    ...(maxRounds !== undefined && { run: { maxRounds, ...(atLimit !== undefined && { atLimit }) } }),
  };
  const ends = { from: working.node(link.from.agentId), to: working.node(link.to.agentId) };
  const asked = asPerson(working, node, { second, from: ends.from }, context);
  const placed = { ...asked.node, x: clearOf(ends.from, { ...node, x, y }, ends.to), y };
  const gap = asked.links[0]?.run?.label === undefined ? portGap : labelGap;
  const moved = roomBehind(working, placed, { ...ends, gap });
  if (![placed, ...moved].every(isPlace)) return failed('drop.notFinite');
  const change = working.edit((edit) => {
    for (const one of [...moved, placed]) edit.setNode(one);
    for (const one of [first, ...asked.links]) edit.setLink(one);
  });
  return edited(change, { nodeIds: [id], connectionIds: [first.id, second.id] });
}

/** A newly placed person that is put into a link approves along its second half, and asks for a change along a link back. */
function asPerson(
  working: WorkingDocument,
  node: CanvasNode,
  { second, from }: { second: Connection; from: CanvasNode | undefined },
  context: Pick<PlacingContext, 'newId' | 'texts'>,
): { node: CanvasNode; links: Connection[] } {
  if (!isNewPerson(working, node)) return { node, links: [second] };
  const { maxRounds, ...run } = second.run ?? {};
  // The half of a review loop leads back itself: it is the change that the person asks for.
  if (maxRounds !== undefined) return { node, links: [{ ...second, run: { ...run, maxRounds, label: context.texts.case.change } }] };
  const { links, nodes } = withButton(node, second);
  return { node: nodes[0] ?? node, links: [...links, ...changeBack(working, from, node, context)] };
}

/** World px between two linked cards, so that their ports and the link between them are seen. */
const portGap = 70;
/** The same where the link has a name. */
const labelGap = 120;

type Ends = { from: CanvasNode | undefined; to: CanvasNode | undefined };

/** The place right of the card before, where the link leads to the right and the two are level. */
function clearOf(from: CanvasNode | undefined, card: CanvasNode, to: CanvasNode | undefined): number {
  if (!from || !to || to.x < rightOf(from) || !areLevel(from, card)) return card.x;
  return Math.max(card.x, rightOf(from) + portGap);
}

function roomBehind(working: WorkingDocument, card: CanvasNode, { from, to, gap }: Ends & { gap: number }): CanvasNode[] {
  if (!from || !to || to.x < rightOf(from) || !areLevel(card, to)) return [];
  return makeRoom(working.document, { first: to.id, cut: rightOf(from), by: rightOf(card) + gap - to.x }).filter(
    ({ id }) => id !== card.id,
  );
}

function rightOf(node: CanvasNode): number {
  return node.x + nodeSize(node).width;
}

function areLevel(a: CanvasNode, b: CanvasNode): boolean {
  return a.y < b.y + nodeSize(b).height && b.y < a.y + nodeSize(a).height;
}
