import type { Agent } from '../../../../../contract/agent.ts';
import type { CanvasDocument, CanvasNode, Connection } from '../../../../../contract/canvas.ts';
import { cardOfAgent } from '../../../../model/document/place-item.ts';
import { type DemoAgentKey, demoAgentId, demoAgentKeys } from './demo-team.ts';
import type { DemoTexts } from './demo-texts.ts';

const dialogId = 'demo-dialog';

/** World px, top-left: two rows of three, the two developers side by side. */
const places: Record<DemoAgentKey, { x: number; y: number }> = {
  assistant: { x: 350, y: 40 },
  product: { x: 700, y: 40 },
  project: { x: 0, y: 300 },
  lead: { x: 350, y: 300 },
  frontend: { x: 700, y: 300 },
  backend: { x: 700, y: 480 },
};

/** The way of the task: the team lead gives it to both developers. */
const links: readonly [from: string, to: DemoAgentKey][] = [
  [dialogId, 'assistant'],
  [demoAgentId('assistant'), 'product'],
  [demoAgentId('product'), 'project'],
  [demoAgentId('project'), 'lead'],
  [demoAgentId('lead'), 'frontend'],
  [demoAgentId('lead'), 'backend'],
];

/** Seven cards and six links. W9.05 */
export function demoCanvas(texts: DemoTexts, agents: readonly Agent[]): CanvasDocument {
  const { title, goal, task } = texts.dialog;
  const dialog: CanvasNode = { id: dialogId, type: 'dialog', title, goal, description: task, x: 0, y: 0 };
  const cards = agents.flatMap((agent): CanvasNode[] => {
    const key = demoAgentKeys.find((known) => demoAgentId(known) === agent.id);
    return key ? [{ id: agent.id, ...cardOfAgent(agent), ...places[key] }] : [];
  });
  const connections = links.map(([from, to]): Connection => {
    const end = demoAgentId(to);
    return { id: `conn-${from}-${end}`, from: { agentId: from, port: 'out' }, to: { agentId: end, port: 'in' } };
  });
  return {
    nodes: Object.fromEntries([dialog, ...cards].map((node) => [node.id, node])),
    connections: Object.fromEntries(connections.map((link) => [link.id, link])),
  };
}
