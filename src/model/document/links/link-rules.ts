import type { CanvasNode, Connection } from '../../../../contract/canvas.ts';
import { isAnnotation } from '../../../../rules/card.ts';
import type { Problem } from '../../problem.ts';
import type { WorkingDocument } from '../working-document.ts';

const maxIdLength = 200;

/** Returns why a link may not be drawn, or null: both ends must exist, be two nodes, and not be linked in this direction yet. W5.05 */
export function linkProblem(working: WorkingDocument, from: string, to: string): Problem | null {
  if (!working.node(from)) return { code: 'link.sourceMissing' };
  if (!working.node(to)) return { code: 'link.targetMissing' };
  if (from === to) return { code: 'link.self', nodeIds: [from] };
  if ([from, to].some((id) => isAnnotation(working.node(id) as CanvasNode))) return { code: 'link.annotation' };
  for (const id of working.linksOf(from)) {
    const link = working.link(id);
    if (link?.from.agentId === from && link.to.agentId === to) return { code: 'link.duplicate' };
  }
  return null;
}

/** Returns the link between two nodes, with the id `conn-{from}-{to}`, or `spareId` where that id is taken or too long. */
export function newLink(working: WorkingDocument, from: string, to: string, spareId: () => string): Connection {
  const named = `conn-${from}-${to}`;
  const id = named.length > maxIdLength || working.link(named) ? `conn-${spareId()}` : named;
  return { id, from: { agentId: from, port: 'out' }, to: { agentId: to, port: 'in' } };
}
