import { type CanvasNode, canvasNode } from '../../../contract/canvas.ts';
import { isAgentOrPerson } from '../../../rules/card.ts';
import { failed, type Outcome } from '../problem.ts';
import { groupBox } from './annotations.ts';
import { copyNodes, placeNodes } from './copy-commands.ts';
import { documentDifferences, isSame } from './document-differences.ts';
import { changedFields, type EditCommand, type Edited, type EditOf, edited, isPlace } from './edit-command.ts';
import { addedLinkProblem, addLink, holdLinks, updateLink } from './links/link-commands.ts';
import { askPerson, makeLoop, nameChoice } from './links/loop-commands.ts';
import type { PlacingContext } from './place-item.ts';
import type { WorkingDocument } from './working-document.ts';

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
    case 'nodes.duplicate':
    case 'canvas.replace':
      return copyNodes(working, command, context);
    case 'canvas.restore':
      return restore(working, command);
    case 'nodes.group':
      return group(working, command, context);
    case 'node.move':
      return moveNodes(working, command);
    case 'node.update':
      return updateNode(working, command);
    case 'nodes.join':
      return joinAgents(working, command);
    case 'selection.remove':
      return remove(working, command);
    case 'link.add':
      return addLink(working, command, context);
    case 'link.loop':
      return makeLoop(working, command, context.texts);
    case 'node.choose':
      return nameChoice(working, command);
    case 'node.ask':
      return askPerson(working, command, context.texts);
    case 'link.update':
      return updateLink(working, command);
    case 'links.hold':
      return holdLinks(working, command);
    default:
      return command satisfies never;
  }
}

/** An agent node without a server agent uses its own id. W5.02 */
function addNodes(working: WorkingDocument, { nodes, connections = [] }: EditOf<'node.add'>): Outcome<Edited> {
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
      const needsAgent = isAgentOrPerson(node) && !node.serverAgentId;
      edit.setNode(needsAgent ? { ...node, serverAgentId: node.id } : { ...node });
    }
    for (const link of connections) edit.setLink(link);
  });
  return edited(change, { nodeIds: nodes.map((node) => node.id), connectionIds: connections.map((link) => link.id) });
}

/** Links of which an end is missing are left out. */
function restore(working: WorkingDocument, { document }: EditOf<'canvas.restore'>): Outcome<Edited> {
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
  return edited(change, undefined);
}

/** The group lies below its contents, whenever it was drawn. */
function group(working: WorkingDocument, { nodeIds }: EditOf<'nodes.group'>, context: Omit<PlacingContext, 'nodes'>): Outcome<Edited> {
  const nodes = nodeIds.flatMap((id) => working.node(id) ?? []);
  if (nodes.length === 0) return failed('node.unknown');
  const node: CanvasNode = { id: context.newId(), type: 'group', title: context.texts.group, ...groupBox(nodes) };
  if (!canvasNode.safeParse(node).success) return failed('node.unfit');
  return edited(
    working.edit((edit) => edit.setNode(node)),
    { nodeIds: [node.id] },
  );
}

/** Moves the nodes that still exist; another tab may have removed some. */
function moveNodes(working: WorkingDocument, { moves }: EditOf<'node.move'>): Outcome<Edited> {
  if (!moves.every(isPlace)) return failed('drop.notFinite');
  const change = working.edit((edit) => {
    for (const { id, x, y } of moves) {
      const node = working.node(id);
      if (node && (node.x !== x || node.y !== y)) edit.setNode({ ...node, x, y });
    }
  });
  return edited(change, undefined);
}

function updateNode(working: WorkingDocument, { id, changes }: EditOf<'node.update'>): Outcome<Edited> {
  const node = working.node(id);
  if (!node) return failed('node.unknown');
  if (!isPlace({ ...node, ...changes })) return failed('drop.notFinite');
  const changed = Object.entries(changes).filter(
    ([field, value]) => field !== 'id' && field !== 'type' && !isSame(node[field as keyof typeof node], value),
  );
  if (changed.length === 0) return edited(null, undefined);
  const next = changedFields(node, changed);
  if (!canvasNode.safeParse(next).success) return failed('node.unfit');
  return edited(
    working.edit((edit) => edit.setNode(next as typeof node)),
    undefined,
  );
}

function joinAgents(working: WorkingDocument, { joins }: EditOf<'nodes.join'>): Outcome<Edited> {
  const change = working.edit((edit) => {
    for (const { id, agentId } of joins) {
      const node = working.node(id);
      if (node && node.serverAgentId !== agentId) edit.setNode({ ...node, serverAgentId: agentId });
    }
  });
  return edited(change, undefined);
}

function remove(working: WorkingDocument, { nodeIds, connectionIds }: EditOf<'selection.remove'>): Outcome<Edited> {
  const change = working.edit((edit) => {
    for (const id of connectionIds) if (working.link(id)) edit.removeLink(id);
    for (const id of nodeIds) if (working.node(id)) edit.removeNode(id);
  });
  return edited(change, undefined);
}
