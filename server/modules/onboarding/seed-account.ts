import { v7 } from 'uuid';
import type { Agent } from '../../../contract/agent.ts';
import type { CanvasDocument, CanvasNode, Connection } from '../../../contract/canvas.ts';
import { type FlowTemplate, fullCycleFlow, type TeamKey, teamRoles } from '../../../contract/flow-templates.ts';
import en from '../../../locales/en/content/seed.json' with { type: 'json' };
import ru from '../../../locales/ru/content/seed.json' with { type: 'json' };
import type { Language } from '../../http/call.ts';
import type { Db } from '../../platform/database/database.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { AgentService } from '../agents/index.ts';
import type { ProjectService } from '../projects/index.ts';

const seeds = { ru, en };

/** Importance, temperature and hue of the seven agents. */
const traits: Record<TeamKey, { priority: number; temperature: number; iconType: string; hue: string }> = {
  'prod-mgr': { priority: 9, temperature: 0.7, iconType: 'compass', hue: 'violet' },
  'proj-mgr': { priority: 8, temperature: 0.6, iconType: 'kanban', hue: 'indigo' },
  'team-lead': { priority: 9, temperature: 0.5, iconType: 'network', hue: 'sky' },
  developer: { priority: 8, temperature: 0.3, iconType: 'code', hue: 'blue' },
  qa: { priority: 7, temperature: 0.4, iconType: 'check', hue: 'rose' },
  analyst: { priority: 7, temperature: 0.6, iconType: 'chart', hue: 'teal' },
  assistant: { priority: 8, temperature: 0.7, iconType: 'headset', hue: 'orange' },
};

type SeedDependencies = { agents: AgentService; projects: ProjectService };

/** Gives a new account a team of seven agents, and a project with the full cycle on its canvas, in the account's language. */
export async function seedAccount({ agents, projects }: SeedDependencies, db: Db, userId: OwnerId, language: Language): Promise<void> {
  const seed = seeds[language];
  const keys = Object.keys(teamRoles) as TeamKey[];
  const team = await agents.createAll(
    db,
    userId,
    keys.map((key) => {
      const { systemPrompt, ...words } = seed.agents[key];
      const { priority, iconType, temperature } = traits[key];
      return { ...words, name: key, role: teamRoles[key], priority, iconType, temperature, configuration: { systemPrompt } };
    }),
  );
  await projects.create(db, userId, seed.project, canvasOf(fullCycleFlow, team, seed.dialog));
}

/** Converts a flow into a document. Each node has its agent's id, so that the two need no matching. */
function canvasOf(flow: FlowTemplate, team: readonly Agent[], dialog: { title: string; goal: string }): CanvasDocument {
  const ids = new Map<string, string>();
  const nodes: CanvasNode[] = flow.agents.map((card) => {
    if (card.type === 'person') throw new Error(`The flow ${flow.id} of a new account has a person.`);
    if (card.type !== 'agent') {
      const id = v7();
      ids.set(card.id, id);
      return { id, type: card.type, title: dialog.title, ...(card.type === 'dialog' && { goal: dialog.goal }), x: card.x, y: card.y };
    }
    const agent = team.find((candidate) => candidate.name === card.agent);
    if (!agent) throw new Error(`The team has no ${card.agent}.`);
    ids.set(card.id, agent.id);
    const { hue } = traits[card.agent];
    const { id, name, title, description, role } = agent;
    const color = { background: hue, border: hue };
    return { id, type: 'agent', name, title, description, role, color, serverAgentId: id, x: card.x, y: card.y };
  });
  const connections: Connection[] = flow.connections.map((link) => {
    const [from, to] = [ids.get(link.from), ids.get(link.to)];
    if (from === undefined || to === undefined) throw new Error(`The flow ${flow.id} links a card that it does not have.`);
    return { id: `conn-${from}-${to}`, from: { agentId: from, port: 'out' }, to: { agentId: to, port: 'in' } };
  });
  return {
    nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
    connections: Object.fromEntries(connections.map((connection) => [connection.id, connection])),
  };
}
