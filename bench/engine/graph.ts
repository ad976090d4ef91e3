import type { CanvasDocument } from '../../contract/canvas.ts';

/** Returns a canvas of agents in rows of 100, with ids as long as real ones; always the same one. */
export function graph(nodeCount: number, linkCount: number): CanvasDocument {
  const document: CanvasDocument = { nodes: {}, connections: {} };
  const ids = Array.from({ length: nodeCount }, (_, index) => `01900000-0000-7000-8000-${String(index).padStart(12, '0')}`);
  for (const [index, id] of ids.entries()) {
    document.nodes[id] = {
      id,
      type: 'agent',
      title: `Agent ${index}`,
      description: 'Turns a task into a plan, names its risks and says what must be there when it is done.',
      role: 'Developer',
      color: { background: 'blue', border: 'blue' },
      serverAgentId: id,
      x: (index % 100) * 350,
      y: Math.floor(index / 100) * 240,
    };
  }
  for (let index = 0; index < linkCount; index += 1) {
    const from = ids[index % nodeCount] as string;
    const to = ids[(index * 7 + 1) % nodeCount] as string;
    const id = `conn-${from}-${to}`;
    if (from !== to) document.connections[id] = { id, from: { agentId: from, port: 'out' }, to: { agentId: to, port: 'in' } };
  }
  return document;
}
