import type { CanvasNode, Connection } from '../../../contract/canvas.ts';
import { isAgentOrPerson, nameOf } from '../../../rules/card.ts';
import type { DocumentCommand } from '../commands.ts';
import { boxOf, groupBox, liesIn } from '../document/annotations.ts';
import { type Edited, edited, isPlace } from '../document/edit-command.ts';
import { offeredNode, type PlacingContext, type WantedAgent } from '../document/place-item.ts';
import type { WorkingDocument } from '../document/working-document.ts';
import { failed, type Outcome } from '../problem.ts';
import { patternCards } from './pattern-cards.ts';
import { leadKind, leadOf, onlyWayOn } from './pattern-lead.ts';
import { patternLinks } from './pattern-links.ts';
import { leadId, patternShape } from './pattern-shapes.ts';
import { placeCards } from './place-cards.ts';

type Context = Omit<PlacingContext, 'nodes'>;
type PatternCommand = Extract<DocumentCommand, { type: 'pattern.place' }>;

/** A pattern before it is placed. `changed`: nodes of the canvas that move, or lose a button. `wanted`: agents that are needed. */
type PatternPlan = {
  created: CanvasNode[];
  changed: CanvasNode[];
  links: Connection[];
  unmatched: string[];
  wanted: WantedAgent[];
};

/** Places a ready pattern in one change, so that it takes part in the next run as a whole. D4.10 */
export function placePattern(working: WorkingDocument, command: PatternCommand, context: Context): Outcome<Edited> {
  const planned = planPattern(working, command, context);
  if (!planned.ok) return planned;
  const { created, changed, links, unmatched } = planned.value;
  if (![...created, ...changed].every(isPlace)) return failed('drop.notFinite');
  const change = working.edit((edit) => {
    for (const node of [...created, ...changed]) edit.setNode(node);
    for (const link of links) edit.setLink(link);
  });
  const placed = edited(change, { nodeIds: created.map(({ id }) => id), connectionIds: links.map(({ id }) => id) });
  return placed.ok && unmatched.length > 0 ? { ok: true, value: { ...placed.value, unmatched } } : placed;
}

/** Refuses a place that is not finite, a list in a list, and any pattern where the account has no agent. */
export function planPattern(working: WorkingDocument, { patternId, at, after }: PatternCommand, context: Context): Outcome<PatternPlan> {
  const { document } = working;
  if (at && !(Number.isFinite(at.x) && Number.isFinite(at.y))) return failed('drop.notFinite');
  // Another tab may have removed it while its menu was open.
  if (after !== undefined && !working.node(after)) return failed('link.sourceMissing');
  if (context.agents.order.length === 0) return failed('pattern.noAgents');
  const lead = leadOf(document, after);
  const list = lead && Object.values(document.nodes).find((group) => group.forEach && liesIn(lead, boxOf(group)));
  if (patternId === 'forEach' && list) return failed('graph.listInList', { steps: nameOf(list) });

  // Without a chosen card the pattern is a branch of its own.
  const wayOn = lead && lead.id === after && !at ? onlyWayOn(working, lead) : null;
  const shape = patternShape(patternId, leadKind(working, lead, patternId));
  const cards = wayOn || !shape.end ? shape.cards : [...shape.cards, shape.end];
  const made = patternCards(cards, { ...context, nodes: document.nodes }, { leadsOn: wayOn !== null });
  const behind = wayOn ? (working.node(wayOn.to.agentId) ?? null) : null;
  const hasDialog = !lead && needsDialog(working);
  const places = placeCards(document, { cards, lead, hasDialog, behind, at });
  const nodes = made.nodes.map((node, index): CanvasNode => ({ ...node, ...(places.of[index] ?? { x: 0, y: 0 }) }));
  const dialog: CanvasNode | null = hasDialog ? { id: context.newId(), ...offeredNode('dialog', context.texts), ...places.dialog } : null;
  const begin = lead ?? dialog;
  const idOf = new Map(cards.map(({ id }, index) => [id, nodes[index]?.id ?? '']));
  if (begin) idOf.set(leadId, begin.id);
  const { links, changed } = patternLinks(working, { shape, idOf, begin, wayOn, context });
  const items = nodes.filter((_, index) => cards[index]?.isItem);
  const created = [...listAround(items, context), ...(dialog ? [dialog] : []), ...nodes];
  return {
    ok: true,
    value: { created, changed: [...places.changed, ...changed], links, unmatched: made.unmatched, wanted: made.wanted },
  };
}

/** Something has to begin a run. On a canvas with agents and without dialogs all of them take part. */
function needsDialog({ document }: WorkingDocument): boolean {
  return !Object.values(document.nodes).some(isAgentOrPerson);
}

function listAround(items: readonly CanvasNode[], { newId, texts }: Context): CanvasNode[] {
  if (items.length === 0) return [];
  return [{ id: newId(), type: 'group', title: texts.forEach, forEach: { onFailure: 'stop' }, ...groupBox(items) }];
}
