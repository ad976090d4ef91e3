import { type Agent, withoutServer } from '../../../contract/agent.ts';
import type { CanvasDocument, CanvasNode, Connection } from '../../../contract/canvas.ts';
import { teamRoles } from '../../../contract/flow-templates.ts';

export const userId = '01900000-0000-7000-8000-000000000001';
export const projectId = '01900000-0000-7000-8000-0000000000aa';
const madeAt = '2026-11-20T10:00:00.000Z';

/** A UUID that ends in a number, for records that a test counts. */
export function uuid(number: number, kind = 0): string {
  return `01900000-0000-7000-8${String(kind).padStart(3, '0')}-${String(number).padStart(12, '0')}`;
}

export function agentOf(number: number, name: string, role: string, changes: Partial<Agent> = {}): Agent {
  return {
    id: uuid(number, 1),
    name,
    title: `Agent ${name}`,
    description: `What ${name} does`,
    role,
    status: 1,
    specialization: '',
    skills: [],
    priority: 5,
    iconType: '',
    contextAccessLevel: 3,
    configuration: { systemPrompt: 'Work.', plan: '' },
    apiConfiguration: {
      providerType: 'openai',
      model: 'gpt-4',
      temperature: 0.7,
      maxTokens: 4_000,
      ...withoutServer,
    },
    userId,
    createdAt: madeAt,
    updatedAt: madeAt,
    ...changes,
  };
}

/** One agent for each menu key. */
export const team: Agent[] = Object.entries(teamRoles).map(([name, role], index) => agentOf(index + 1, name, role));

export function agentNode(id: string, agent: Agent, x: number, y: number, changes: Partial<CanvasNode> = {}): CanvasNode {
  return {
    id,
    type: 'agent',
    title: agent.title,
    name: agent.name,
    role: agent.role,
    color: { background: 'blue', border: 'blue' },
    serverAgentId: agent.id,
    x,
    y,
    ...changes,
  };
}

export function dialogNode(id: string, x: number, y: number, changes: Partial<CanvasNode> = {}): CanvasNode {
  return { id, type: 'dialog', title: 'Dialog', goal: 'Build it', x, y, ...changes };
}

export function link(from: string, to: string): Connection {
  return { id: `conn-${from}-${to}`, from: { agentId: from, port: 'out' }, to: { agentId: to, port: 'in' } };
}

export function documentOf(nodes: CanvasNode[], connections: Connection[] = []): CanvasDocument {
  return {
    nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
    connections: Object.fromEntries(connections.map((one) => [one.id, one])),
  };
}

/** A dialog and three agents in a row, linked. */
export function chainDocument(): CanvasDocument {
  const [first, second, third] = team as [Agent, Agent, Agent];
  return documentOf(
    [dialogNode('d', 0, 0), agentNode('a', first, 350, 40), agentNode('b', second, 700, 40), agentNode('c', third, 1050, 40)],
    [link('d', 'a'), link('a', 'b'), link('b', 'c')],
  );
}
