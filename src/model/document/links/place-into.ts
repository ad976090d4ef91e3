import type { Outcome } from '../../problem.ts';
import { placeNodes } from '../copy-commands.ts';
import { type Edited, type EditOf, edited } from '../edit-command.ts';
import type { PlacingContext } from '../place-item.ts';
import type { WorkingDocument } from '../working-document.ts';
import { insertNode } from './link-ends-commands.ts';

/** Places a card and puts it into a link, in one change: both or none. */
export function placeInto(
  working: WorkingDocument,
  { into, ...command }: EditOf<'node.place'> & { into: string },
  context: Omit<PlacingContext, 'nodes'>,
): Outcome<Edited> {
  const placed = placeNodes(working, command, context);
  if (!placed.ok || !placed.value.change) return placed;
  const { change, result } = placed.value;
  const node = working.node(result?.nodeIds?.[0] ?? '');
  if (!node) return placed;
  const inserted = insertNode(working, { type: 'node.insert', id: node.id, x: node.x, y: node.y, linkId: into }, context);
  if (!inserted.ok || !inserted.value.change) {
    working.apply(change.inverse);
    return inserted;
  }
  const { patches, inverse } = inserted.value.change;
  const whole = { patches: [...change.patches, ...patches], inverse: [...inverse, ...change.inverse] };
  return edited(whole, { nodeIds: [node.id], connectionIds: inserted.value.result?.connectionIds ?? [] });
}
