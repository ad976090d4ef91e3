import type { AgentStatistics } from '../../../contract/agent.ts';
import { type AgentAvailability, type AgentLoad, maxCommandsOfAgent } from '../../../contract/command.ts';
import type { Db } from '../../platform/database/database.ts';
import { type AgentService, statisticsOf } from '../agents/index.ts';
import { countRunningSteps, workInRuns } from '../executions/index.ts';
import type { CommandRepository } from './repository.ts';
import { countCommands } from './work-in-commands.ts';

type AgentFiguresDeps = {
  db: Db;
  repository: Pick<CommandRepository, 'running'>;
  agents: Pick<AgentService, 'get'>;
};

/** Counts an agent's finished and open work. Every function throws `not_found` for an agent that is not the user's. */
export function createAgentFigures({ db, repository, agents }: AgentFiguresDeps) {
  return {
    /** Also for a deleted agent, as long as its commands exist. */
    async statistics(userId: string, agentId: string): Promise<AgentStatistics> {
      const counts = await countCommands(db, userId, agentId, 'all');
      if (counts.total === 0) await agents.get(userId, agentId);
      return statisticsOf(counts);
    },

    async availability(userId: string, agentId: string): Promise<AgentAvailability> {
      const [agent, commands, steps, inCommands, inRuns] = await Promise.all([
        agents.get(userId, agentId),
        repository.running(userId, agentId),
        countRunningSteps(db, userId, agentId),
        countCommands(db, userId, agentId, 'all'),
        workInRuns(db).count(userId, agentId),
      ]);
      const moments = [inCommands.lastActivity, inRuns.lastActivity].flatMap((at) => (at === null ? [] : [at.getTime()]));
      return {
        isAvailable: agent.status !== 0 && commands < maxCommandsOfAgent,
        status: agent.status === 1 && commands + steps > 0 ? 2 : agent.status,
        lastSeen: moments.length === 0 ? null : new Date(Math.max(...moments)).toISOString(),
      };
    },

    async load(userId: string, agentId: string): Promise<AgentLoad> {
      const [commands, steps] = await Promise.all([
        repository.running(userId, agentId),
        countRunningSteps(db, userId, agentId),
        agents.get(userId, agentId),
      ]);
      const currentLoad = commands + steps;
      return {
        currentLoad,
        maxLoad: maxCommandsOfAgent,
        loadPercentage: Math.min(100, Math.round((currentLoad / maxCommandsOfAgent) * 100)),
      };
    },
  };
}

export type AgentFigures = ReturnType<typeof createAgentFigures>;
