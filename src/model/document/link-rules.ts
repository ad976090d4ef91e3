import type { CanvasNode, Connection } from '../../../contract/canvas.ts';
import { isAnnotation } from '../../../rules/card.ts';
import type { Problem } from '../problem.ts';
import type { WorkingDocument } from './working-document.ts';

const longestId = 200;

/** Says why a link may not be drawn, or null: both ends exist, are two nodes, and are not linked this way already. W5.05 */
export function linkProblem(working: WorkingDocument, from: string, to: string): Problem | null {
  if (!working.node(from)) return { code: 'link.sourceMissing' };
  if (!working.node(to)) return { code: 'link.targetMissing' };
  if (from === to) return { code: 'link.self' };
  if ([from, to].some((id) => isAnnotation(working.node(id) as CanvasNode))) return { code: 'link.annotation' };
  for (const id of working.linksOf(from)) {
    const link = working.link(id);
    if (link?.from.agentId === from && link.to.agentId === to) return { code: 'link.duplicate' };
  }
  return null;
}

/** The link between two nodes, named `conn-{from}-{to}`; `spareId` names it where that name is taken or too long. */
export function newLink(working: WorkingDocument, from: string, to: string, spareId: () => string): Connection {
  const named = `conn-${from}-${to}`;
  const id = named.length > longestId || working.link(named) ? `conn-${spareId()}` : named;
  return { id, from: { agentId: from, port: 'out' }, to: { agentId: to, port: 'in' } };
}
