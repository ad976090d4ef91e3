import type { TeamAgent, TeamAgents, TeamProblem } from '../../../contract/team-version.ts';

/** What there is now of what a version uses. */
export type TeamNow = {
  /** The agents of the version that are still there. */
  agents: TeamAgents;
  /** The connections of the account, by id. */
  connections: Readonly<Record<string, { provider: string; address: string | null }>>;
  /** The tools of the project, by id. */
  tools: Readonly<Record<string, { pinnedHash: string; isMissing: boolean; isChanged: boolean }>>;
  isOfOperator: (connectionId: string) => boolean;
};

/** Returns what of a version is gone or is another one by now. A run from the version would lack it, or work with something else. */
export function checkTeam(version: TeamAgents, now: TeamNow): TeamProblem[] {
  return Object.entries(version).flatMap(([agentId, agent]): TeamProblem[] => {
    const about = { agentId, agent: agent.title };
    if (!now.agents[agentId]) return [{ ...about, code: 'agentGone', name: agent.title }];
    return [...connectionProblems(agent, now), ...toolProblems(agent, now)].map((problem) => ({ ...about, ...problem }));
  });
}

type Found = Pick<TeamProblem, 'code' | 'name'>;

function connectionProblems(agent: TeamAgent, { connections, isOfOperator }: TeamNow): Found[] {
  const used = [
    { id: agent.connectionId, known: agent.connection },
    { id: agent.fallback?.connectionId ?? null, known: agent.fallbackConnection },
  ];
  return used.flatMap(({ id, known }): Found[] => {
    if (id === null || isOfOperator(id)) return [];
    const name = known?.name ?? agent.providerType;
    const there = connections[id];
    if (!there) return [{ code: 'connectionGone', name }];
    return there.provider === known?.provider && there.address === known.address ? [] : [{ code: 'connectionChanged', name }];
  });
}

function toolProblems({ tools }: TeamAgent, now: TeamNow): Found[] {
  return tools.flatMap(({ id, server, name: tool, pinnedHash }): Found[] => {
    const there = now.tools[id];
    const name = `${server}: ${tool}`;
    if (!there || there.isMissing) return [{ code: 'toolGone', name }];
    return there.pinnedHash === pinnedHash && !there.isChanged ? [] : [{ code: 'toolChanged', name }];
  });
}
