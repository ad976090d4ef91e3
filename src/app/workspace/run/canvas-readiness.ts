import type { CanvasDocument } from '../../../../contract/canvas.ts';

const known = new WeakMap<CanvasDocument['nodes'], { agents: number; total: number }>();

/** How many cards there are, and how many of them are agents; counted once for each version of the record. */
export function canvasReadiness(nodes: CanvasDocument['nodes']): { agents: number; total: number } {
  const counted = known.get(nodes);
  if (counted) return counted;
  const counts = { agents: 0, total: 0 };
  for (const id in nodes) {
    counts.total += 1;
    if (nodes[id]?.type === 'agent' && !nodes[id].isUser) counts.agents += 1;
  }
  known.set(nodes, counts);
  return counts;
}
