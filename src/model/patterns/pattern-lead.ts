import type { CanvasDocument, CanvasNode, Connection } from '../../../contract/canvas.ts';
import { isAgentOrPerson, isAnnotation, isNamed, isPersonCard, isStart, isWorkingAgent } from '../../../rules/card.ts';
import { linksFrom } from '../document/links/loop-commands.ts';
import type { WorkingDocument } from '../document/working-document.ts';
import { leadsBack } from '../run/leads-back.ts';
import { startersOf } from '../run/starters/starters-of.ts';
import type { PatternId } from './pattern-ids.ts';
import type { Lead } from './pattern-shapes.ts';

/** The card that a pattern is placed behind: the given one, else what Start begins with; null where a run has all agents. */
export function leadOf(document: CanvasDocument, after: string | undefined): CanvasNode | null {
  const chosen = after === undefined ? undefined : document.nodes[after];
  if (chosen && !isAnnotation(chosen)) return chosen;
  const { dialog, starts } = startersOf(document, {});
  if (dialog || starts[0]) return dialog ?? starts[0] ?? null;
  // On a canvas without agents the run begins at the start card, which leads nowhere yet.
  const nodes = Object.values(document.nodes);
  return nodes.some(isAgentOrPerson) ? null : (nodes.find(isStart) ?? null);
}

export function leadKind(working: WorkingDocument, lead: CanvasNode | null, patternId: PatternId): Lead {
  if (!lead || lead.disabled) return 'other';
  if (isPersonCard(lead)) return 'person';
  if (!isWorkingAgent(lead) || !isNamed(lead)) return 'other';
  // An agent with cases of its own does not get more.
  const chooses = linksFrom(working)(lead.id).some(({ run }) => run?.label !== undefined || run?.test);
  return patternId === 'choice' && chooses ? 'other' : 'agent';
}

/** The link that leads on from a card, where it is the only one: the pattern is put into it. */
export function onlyWayOn(working: WorkingDocument, lead: CanvasNode): Connection | null {
  const ways = linksFrom(working)(lead.id).filter((link) => {
    const leadsOn = !link.run?.onFailure && link.run?.maxRounds === undefined && isAgentOrPerson(working.node(link.to.agentId));
    return leadsOn && !leadsBack(working.document, link);
  });
  return ways.length === 1 ? (ways[0] ?? null) : null;
}
