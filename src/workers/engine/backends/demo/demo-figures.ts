import type { AgentStatistics } from '../../../../../contract/agent.ts';
import type { AgentAvailability, AgentLoad } from '../../../../../contract/command.ts';
import type { ProjectStatistics } from '../../../../../contract/project.ts';
import type { DemoRun } from './demo-run.ts';
import { demoAgentKeys, memberOf } from './demo-team.ts';

const maxLoad = 20;

/** The project's statistics, of 25 runs. W9.05 */
export function demoProjectStatistics(at: string): ProjectStatistics {
  const total = demoAgentKeys.length;
  return {
    totalAgents: total,
    activeAgents: total,
    totalPipelines: 2,
    activePipelines: 1,
    totalExecutions: 25,
    successfulExecutions: 23,
    failedExecutions: 2,
    averageExecutionTime: 252_000,
    lastActivity: at,
  };
}

/** Returns an agent's statistics. All agents together have 150 commands, of which 142 succeeded. W9.05 */
export function demoStatistics(agentId: string, at: string): AgentStatistics {
  const member = memberOf(agentId);
  if (!member) return { totalCommands: 0, successfulCommands: 0, failedCommands: 0, averageExecutionTime: null, lastActivity: null };
  const { commands, failed, averageMs } = member;
  return {
    totalCommands: commands,
    successfulCommands: commands - failed,
    failedCommands: failed,
    averageExecutionTime: averageMs,
    lastActivity: at,
  };
}

export function demoAvailability(agentId: string, runs: readonly DemoRun[], at: string): AgentAvailability {
  const works = isAtWork(agentId, runs);
  return { isAvailable: !works, status: works ? 2 : 1, lastSeen: at };
}

export function demoLoad(agentId: string, runs: readonly DemoRun[]): AgentLoad {
  const currentLoad = isAtWork(agentId, runs) ? 1 : 0;
  return { currentLoad, maxLoad, loadPercentage: (100 * currentLoad) / maxLoad };
}

function isAtWork(agentId: string, runs: readonly DemoRun[]): boolean {
  return runs.some(({ steps }) => steps.some((step) => step.agentId === agentId && step.status === 'running'));
}
