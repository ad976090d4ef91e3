import type { ProviderType } from '../../../contract/agent.ts';
import type { TeamAgent, TeamAgents, TeamProblem, TeamSettings, TeamTool } from '../../../contract/team-version.ts';
import type { ToolPolicy } from '../../../contract/tool-server.ts';
import { modelHost } from '../connections/index.ts';

/** What there is now of what a version uses. */
export type TeamNow = {
  /** The agents of the version that are still there. */
  agents: TeamAgents;
  settings: TeamSettings;
  /** The connections of the account, by id. */
  connections: Readonly<Record<string, { provider: string; address: string | null }>>;
  /** The tools of the project, by id. */
  tools: Readonly<Record<string, { pinnedHash: string; policy: ToolPolicy; isMissing: boolean; isChanged: boolean }>>;
  /** The name of a connection of the operator; null for others. */
  operatorName: (connectionId: string) => string | null;
};

/** Returns what of a version is gone or is another one by now. A run from the version would lack it, or work with something else. */
export function checkTeam(version: TeamAgents, now: TeamNow): TeamProblem[] {
  return Object.entries(version).flatMap(([agentId, agent]): TeamProblem[] => {
    const about = { agentId, agent: agent.title };
    const own = now.agents[agentId];
    const gone: Found[] = own ? [] : [{ code: 'agentGone', name: agent.title }];
    const found = [...gone, ...keyProblems(agent, own), ...connectionProblems(agent, now), ...toolProblems(agent, now)];
    return found.map((problem) => ({ ...about, ...problem }));
  });
}

type Found = Pick<TeamProblem, 'code' | 'name'>;

/** An agent without a connection calls with a key of its own, which no version has. */
function keyProblems({ connectionId, keyHost, providerType, baseUrl }: TeamAgent, own: TeamAgent | undefined): Found[] {
  const host = modelHost({ providerType, baseUrl });
  if (connectionId !== null || keyHost !== host || own?.keyHost === host) return [];
  return [{ code: 'keyGone', name: nameOfHost(providerType, baseUrl) }];
}

function nameOfHost(providerType: ProviderType, baseUrl: string | null): string {
  return baseUrl === null ? providerType : new URL(baseUrl).host;
}

function connectionProblems(agent: TeamAgent, now: TeamNow): Found[] {
  const used = [
    { id: agent.connectionId, known: agent.connection },
    { id: agent.fallback?.connectionId ?? null, known: agent.fallbackConnection },
  ];
  return used.flatMap((one): Found[] => {
    const code = connectionProblem(one, now);
    return code === null ? [] : [{ code, name: one.known?.name ?? agent.providerType }];
  });
}

/** What is wrong with a connection of a version by now; null for nothing. */
export function connectionProblem(
  { id, known }: { id: string | null; known: TeamAgent['connection'] },
  { connections, operatorName }: TeamNow,
): 'connectionGone' | 'connectionChanged' | null {
  if (id === null || operatorName(id) !== null) return null;
  const there = connections[id];
  if (!there) return 'connectionGone';
  return there.provider === known?.provider && there.address === known.address ? null : 'connectionChanged';
}

function toolProblems({ tools }: TeamAgent, now: TeamNow): Found[] {
  return tools.flatMap((tool): Found[] => {
    const code = toolProblem(tool, now);
    return code === null ? [] : [{ code, name: `${tool.server}: ${tool.name}` }];
  });
}

/** The same for a tool. */
export function toolProblem({ id, pinnedHash }: TeamTool, { tools }: TeamNow): 'toolGone' | 'toolChanged' | null {
  const there = tools[id];
  if (!there || there.isMissing) return 'toolGone';
  return there.pinnedHash === pinnedHash && !there.isChanged ? null : 'toolChanged';
}
