import type { CanvasNode } from '../../../contract/canvas.ts';
import { isGroup } from '../../../rules/card.ts';
import { layoutOf } from '../layout/layout-of.ts';
import { failed, type Outcome } from '../problem.ts';
import { alignNodes, distributeNodes } from './align-nodes.ts';
import { cardsOf, setCards, sharedSetting } from './card-settings.ts';
import type { SelectionCommand } from './edit-command.ts';
import { type Edited, edited, isPlace } from './edit-command.ts';
import { insertNode, moveLinkEnd } from './links/link-ends-commands.ts';
import type { PlacingContext } from './place-item.ts';
import type { WorkingDocument } from './working-document.ts';

export function applySelectionCommand(
  working: WorkingDocument,
  command: SelectionCommand,
  context: Pick<PlacingContext, 'newId' | 'texts'>,
): Outcome<Edited> {
  switch (command.type) {
    case 'nodes.set':
      return setCards(working, command);
    case 'nodes.disable': {
      const { cards, value } = sharedSetting(cardsOf(working.document.nodes, new Set(command.nodeIds)), 'disabled');
      return setCards(working, { nodeIds: cards, changes: { disabled: value ? undefined : true } });
    }
    case 'nodes.layout':
      return layOut(working, command.nodeIds ?? null);
    case 'nodes.align':
      return alignNodes(working, command);
    case 'nodes.distribute':
      return distributeNodes(working, command);
    case 'link.end':
      return moveLinkEnd(working, command, context.texts);
    case 'node.insert':
      return insertNode(working, command, context);
    default:
      return command satisfies never;
  }
}

function layOut(working: WorkingDocument, nodeIds: readonly string[] | null): Outcome<Edited> {
  const places = layoutOf(working.document, nodeIds);
  for (const place of places.values()) if (!isPlace(place)) return failed('drop.notFinite');
  const change = working.edit((edit) => {
    for (const [id, { x, y, width, height }] of places) {
      const node = working.node(id);
      const size = isGroup(node) ? { width, height } : {};
      if (node && (node.x !== x || node.y !== y || !hasSize(node, size))) edit.setNode({ ...node, x, y, ...size });
    }
  });
  return edited(change, undefined);
}

function hasSize(node: CanvasNode, { width = node.width, height = node.height }: { width?: number; height?: number }): boolean {
  return node.width === width && node.height === height;
}
