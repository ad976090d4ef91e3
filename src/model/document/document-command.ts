import { type CanvasNode, type Connection, canvasNode, connection, maxCoordinate } from '../../../contract/canvas.ts';
import type { LinkSettings } from '../../../contract/executions/run-graph.ts';
import { isAnnotation } from '../../../rules/card.ts';
import type { CommandResult, DocumentCommand } from '../commands.ts';
import { layoutOf } from '../layout/layout-of.ts';
import { failed, type Outcome } from '../problem.ts';
import { type Box, boundsOf, boxOf, groupBox, withContents } from './annotations.ts';
import { readCanvasText } from './canvas-text.ts';
import { copyCards } from './copy-cards.ts';
import { documentDifferences, isSame } from './document-differences.ts';
import { canHold } from './hold-links.ts';
import { linkProblem, newLink } from './link-rules.ts';
import { type PlacedCards, type PlacingContext, placeItem } from './place-item.ts';
import type { DocumentChange, WorkingDocument } from './working-document.ts';

/** A command on the document, except undo and redo. */
export type EditCommand = Exclude<DocumentCommand, { type: 'history.undo' } | { type: 'history.redo' }>;

type Edited = { change: DocumentChange | null; result: CommandResult; unmatched?: string[]; skipped?: string[] };

/** Applies one command to the document, completely or not at all. */
export function applyDocumentCommand(
  working: WorkingDocument,
  command: EditCommand,
  context: Omit<PlacingContext, 'nodes'>,
): Outcome<Edited> {
  switch (command.type) {
    case 'node.add':
      return addNodes(working, command);
    case 'node.place':
      return placeNodes(working, command, context);
    case 'nodes.paste':
      return paste(working, command, context);
    case 'canvas.replace':
      return replaceCanvas(working, command, context);
    case 'canvas.restore':
      return restore(working, command);
    case 'nodes.group':
      return group(working, command, context);
    case 'nodes.layout':
      return layOut(working, command);
    case 'nodes.duplicate':
      return duplicate(working, command, context);
    case 'node.move':
      return moveNodes(working, command);
    case 'node.update':
      return updateNode(working, command);
    case 'nodes.join':
      return joinAgents(working, command);
    case 'selection.remove':
      return remove(working, command);
    case 'link.add':
      return addLink(working, command, context.newId);
    case 'link.update':
      return updateLink(working, command);
    case 'links.hold':
      return holdLinks(working, command);
    default:
      return command satisfies never;
  }
}

type Of<T extends EditCommand['type']> = Extract<EditCommand, { type: T }>;

/** An agent node without a server agent uses its own id. W5.02 */
function addNodes(working: WorkingDocument, { nodes, connections = [] }: Of<'node.add'>): Outcome<Edited> {
  const coming = new Map<string, CanvasNode>();
  for (const node of nodes) {
    if (working.node(node.id) || coming.has(node.id)) return failed('node.idTaken');
    if (!isPlace(node)) return failed('drop.notFinite');
    if (!canvasNode.safeParse(node).success) return failed('node.unfit');
    coming.set(node.id, node);
  }
  const pairs = new Set<string>();
  for (const link of connections) {
    const problem = addedLinkProblem(working, link, coming, pairs);
    if (problem) return failed(problem);
  }
  const change = working.edit((edit) => {
    for (const node of nodes) {
      const needsAgent = node.type === 'agent' && !node.serverAgentId;
      edit.setNode(needsAgent ? { ...node, serverAgentId: node.id } : { ...node });
    }
    for (const link of connections) edit.setLink(link);
  });
  return done(change, { nodeIds: nodes.map((node) => node.id), connectionIds: connections.map((link) => link.id) });
}

function addedLinkProblem(
  working: WorkingDocument,
  link: Connection,
  coming: ReadonlyMap<string, CanvasNode>,
  pairs: Set<string>,
): string | null {
  const { from, to } = { from: link.from.agentId, to: link.to.agentId };
  const pair = JSON.stringify([from, to]);
  if (working.link(link.id) || pairs.has(link.id)) return 'link.idTaken';
  if (!coming.has(from) && !working.node(from)) return 'link.sourceMissing';
  if (!coming.has(to) && !working.node(to)) return 'link.targetMissing';
  if (from === to) return 'link.self';
  if ([from, to].some((id) => isAnnotation((coming.get(id) ?? working.node(id)) as CanvasNode))) return 'link.annotation';
  if (pairs.has(pair) || linkProblem(working, from, to)?.code === 'link.duplicate') return 'link.duplicate';
  pairs.add(pair).add(link.id);
  return null;
}

function placeNodes(working: WorkingDocument, { item, at }: Of<'node.place'>, context: Omit<PlacingContext, 'nodes'>): Outcome<Edited> {
  const cards = placeItem(item, at, { ...context, nodes: working.document.nodes });
  return cards.ok ? put(working, cards.value, context.newId) : cards;
}

function paste(working: WorkingDocument, { text, at }: Of<'nodes.paste'>, context: Omit<PlacingContext, 'nodes'>): Outcome<Edited> {
  if (at && !isPlace(at)) return failed('drop.notFinite');
  const excerpt = readCanvasText(text);
  if (!excerpt.ok) return excerpt;
  const box = boundsOf(excerpt.value.nodes.map(boxOf)) as Box;
  const from = at ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : { x: box.x, y: box.y };
  const to = at ?? besideAll(Object.values(working.document.nodes));
  const shift = { x: Math.round(to.x - from.x), y: Math.round(to.y - from.y) };
  return put(working, copyCards(excerpt.value, shift, { ...context, nodes: working.document.nodes }), context.newId);
}

function duplicate(working: WorkingDocument, command: Of<'nodes.duplicate'>, context: Omit<PlacingContext, 'nodes'>): Outcome<Edited> {
  const { nodeIds, dx, dy } = command;
  if (!isPlace({ x: dx, y: dy })) return failed('drop.notFinite');
  const ids = withContents(working.document.nodes, new Set(nodeIds));
  const nodes = [...ids].flatMap((id) => working.node(id) ?? []);
  const connections = nodes.flatMap(({ id }) =>
    [...working.linksOf(id)].flatMap((linkId) => {
      const link = working.link(linkId);
      return link?.from.agentId === id && ids.has(link.to.agentId) ? [link] : [];
    }),
  );
  return put(working, copyCards({ nodes, connections }, { x: dx, y: dy }, { ...context, nodes: working.document.nodes }), context.newId);
}

/** Every agent is free for the new nodes, since all others are removed. */
function replaceCanvas(working: WorkingDocument, { text }: Of<'canvas.replace'>, context: Omit<PlacingContext, 'nodes'>): Outcome<Edited> {
  const excerpt = readCanvasText(text);
  if (!excerpt.ok) return excerpt;
  const gone = Object.keys(working.document.nodes);
  return put(working, copyCards(excerpt.value, { x: 0, y: 0 }, { ...context, nodes: {} }), context.newId, gone);
}

/** Links of which an end is missing are left out. */
function restore(working: WorkingDocument, { document }: Of<'canvas.restore'>): Outcome<Edited> {
  const { nodes, connections } = document;
  const change = working.edit((edit) => {
    for (const patch of documentDifferences(working.document, document)) {
      if (patch.op === 'remove' && patch.collection === 'nodes') edit.removeNode(patch.id);
      else if (patch.op === 'remove') edit.removeLink(patch.id);
      else if (patch.collection === 'nodes') edit.setNode(patch.value);
    }
    for (const link of Object.values(connections)) {
      const isWhole = Object.hasOwn(nodes, link.from.agentId) && Object.hasOwn(nodes, link.to.agentId);
      if (isWhole && !isSame(working.link(link.id), link)) edit.setLink(link);
    }
  });
  return done(change, undefined);
}

function layOut(working: WorkingDocument, { nodeIds }: Of<'nodes.layout'>): Outcome<Edited> {
  const places = layoutOf(working.document, nodeIds ?? null);
  for (const place of places.values()) if (!isPlace(place)) return failed('drop.notFinite');
  const change = working.edit((edit) => {
    for (const [id, { x, y, width, height }] of places) {
      const node = working.node(id);
      const size = node?.type === 'group' ? { width, height } : {};
      if (node && (node.x !== x || node.y !== y || !hasSize(node, size))) edit.setNode({ ...node, x, y, ...size });
    }
  });
  return done(change, undefined);
}

function hasSize(node: CanvasNode, { width = node.width, height = node.height }: { width?: number; height?: number }): boolean {
  return node.width === width && node.height === height;
}

/** The group lies below its contents, whenever it was drawn. */
function group(working: WorkingDocument, { nodeIds }: Of<'nodes.group'>, context: Omit<PlacingContext, 'nodes'>): Outcome<Edited> {
  const nodes = nodeIds.flatMap((id) => working.node(id) ?? []);
  if (nodes.length === 0) return failed('node.unknown');
  const node: CanvasNode = { id: context.newId(), type: 'group', title: context.texts.group, ...groupBox(nodes) };
  if (!canvasNode.safeParse(node).success) return failed('node.unfit');
  return done(
    working.edit((edit) => edit.setNode(node)),
    { nodeIds: [node.id] },
  );
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
  const edited = done(change, { nodeIds: nodes.map((node) => node.id), connectionIds: connections.map((link) => link.id) });
  if (!edited.ok) return edited;
  return { ok: true, value: { ...edited.value, ...(unmatched.length > 0 && { unmatched }), ...(skipped.length > 0 && { skipped }) } };
}

/** Moves the nodes that still exist; another tab may have removed some. */
function moveNodes(working: WorkingDocument, { moves }: Of<'node.move'>): Outcome<Edited> {
  if (!moves.every(isPlace)) return failed('drop.notFinite');
  const change = working.edit((edit) => {
    for (const { id, x, y } of moves) {
      const node = working.node(id);
      if (node && (node.x !== x || node.y !== y)) edit.setNode({ ...node, x, y });
    }
  });
  return done(change, undefined);
}

function updateNode(working: WorkingDocument, { id, changes }: Of<'node.update'>): Outcome<Edited> {
  const node = working.node(id);
  if (!node) return failed('node.unknown');
  if (!isPlace({ ...node, ...changes })) return failed('drop.notFinite');
  const changed = Object.entries(changes).filter(
    ([field, value]) => field !== 'id' && field !== 'type' && !isSame(node[field as keyof typeof node], value),
  );
  if (changed.length === 0) return done(null, undefined);
  const next = changedFields(node, changed);
  if (!canvasNode.safeParse(next).success) return failed('node.unfit');
  return done(
    working.edit((edit) => edit.setNode(next as typeof node)),
    undefined,
  );
}

/** Returns a record with these fields changed; undefined fields are removed. */
function changedFields(record: object, changes: Iterable<readonly [field: string, value: unknown]>): Record<string, unknown> {
  const next: Record<string, unknown> = { ...record };
  for (const [field, value] of changes) {
    if (value === undefined) delete next[field];
    else next[field] = value;
  }
  return next;
}

function joinAgents(working: WorkingDocument, { joins }: Of<'nodes.join'>): Outcome<Edited> {
  const change = working.edit((edit) => {
    for (const { id, agentId } of joins) {
      const node = working.node(id);
      if (node && node.serverAgentId !== agentId) edit.setNode({ ...node, serverAgentId: agentId });
    }
  });
  return done(change, undefined);
}

function remove(working: WorkingDocument, { nodeIds, connectionIds }: Of<'selection.remove'>): Outcome<Edited> {
  const change = working.edit((edit) => {
    for (const id of connectionIds) if (working.link(id)) edit.removeLink(id);
    for (const id of nodeIds) if (working.node(id)) edit.removeNode(id);
  });
  return done(change, undefined);
}

function addLink(working: WorkingDocument, { from, to }: Of<'link.add'>, newId: () => string): Outcome<Edited> {
  const problem = linkProblem(working, from, to);
  if (problem) return { ok: false, error: problem };
  const link = newLink(working, from, to, newId);
  return done(
    working.edit((edit) => edit.setLink(link)),
    { connectionIds: [link.id] },
  );
}

/** A link without settings has no `run`, like one that was never changed. */
function updateLink(working: WorkingDocument, { id, changes }: Of<'link.update'>): Outcome<Edited> {
  const link = working.link(id);
  if (!link) return failed('link.unknown');
  const next = connection.safeParse(withSettings(link, changes));
  if (!next.success) return failed('link.unfit');
  if (isSame(link.run ?? {}, next.data.run ?? {})) return done(null, undefined);
  return done(
    working.edit((edit) => edit.setLink(next.data)),
    undefined,
  );
}

function holdLinks(working: WorkingDocument, { ids, hold }: Of<'links.hold'>): Outcome<Edited> {
  const change = working.edit((edit) => {
    for (const id of ids) {
      const link = working.link(id);
      if (link && link.run?.hold !== hold && canHold(link)) edit.setLink(withSettings(link, { hold }));
    }
  });
  return done(change, undefined);
}

function withSettings({ run = {}, ...plain }: Connection, changes: Partial<LinkSettings>): Connection {
  const settings = changedFields(run, Object.entries(changes));
  return Object.keys(settings).length > 0 ? { ...plain, run: settings } : plain;
}

/** World px between the existing nodes and those placed beside them. */
const besideGap = 120;

/** Returns the corner of new nodes without a given place. */
function besideAll(nodes: readonly CanvasNode[]): { x: number; y: number } {
  const box = boundsOf(nodes.map(boxOf));
  return box ? { x: box.x + box.width + besideGap, y: box.y } : { x: 0, y: 0 };
}

function isPlace({ x, y }: { x: number; y: number }): boolean {
  return Math.abs(x) <= maxCoordinate && Math.abs(y) <= maxCoordinate;
}

function done(change: DocumentChange | null, result: CommandResult): Outcome<Edited> {
  return { ok: true, value: { change, result } };
}
