import type { CanvasDocument } from '../../../../contract/canvas.ts';

/** Returns the cards that links lead to from each card. */
export function successors({ connections }: CanvasDocument): Map<string, string[]> {
  const next = new Map<string, string[]>();
  for (const { from, to } of Object.values(connections)) {
    const known = next.get(from.agentId);
    if (known) known.push(to.agentId);
    else next.set(from.agentId, [to.agentId]);
  }
  return next;
}
