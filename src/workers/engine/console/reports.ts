import type { Agent, AgentStatistics } from '../../../../contract/agent.ts';
import type { AgentLoad } from '../../../../contract/command.ts';
import type { Pipeline } from '../../../../contract/executions/pipeline.ts';
import type { ProjectStatistics } from '../../../../contract/project.ts';
import { type SlashCommand, slashCommands } from '../../../model/console/console-command.ts';
import type { Problem } from '../../../model/problem.ts';
import type { RunState } from '../../../model/workspace-state.ts';

/** Returns the report of `/help`: one line for every command. */
export function helpReport(): Problem {
  return { code: 'console.help', details: slashCommands.map((name: SlashCommand) => ({ code: `console.helpOf.${name}` })) };
}

/** Returns the report about an agent: its commands, their outcomes, and its current work. */
export function agentReport(agent: Agent, statistics: AgentStatistics, load: AgentLoad): Problem {
  const { totalCommands: total, successfulCommands: successful, failedCommands, averageExecutionTime, lastActivity } = statistics;
  return {
    code: 'console.agentStats',
    params: { agent: agent.title },
    details: [
      { code: 'console.stats.commands', params: { total, successful, failed: failedCommands } },
      ...average(averageExecutionTime),
      { code: 'console.stats.load', params: { current: load.currentLoad, most: load.maxLoad, percent: Math.round(load.loadPercentage) } },
      ...activity(lastActivity),
    ],
  };
}

export function projectReport(name: string, statistics: ProjectStatistics): Problem {
  const { totalAgents, activeAgents, totalPipelines, activePipelines, totalExecutions } = statistics;
  return {
    code: 'console.projectStats',
    params: { project: name },
    details: [
      { code: 'console.stats.agents', params: { total: totalAgents, active: activeAgents } },
      { code: 'console.stats.pipelines', params: { total: totalPipelines, active: activePipelines } },
      {
        code: 'console.stats.runs',
        params: { total: totalExecutions, successful: statistics.successfulExecutions, failed: statistics.failedExecutions },
      },
      ...average(statistics.averageExecutionTime),
      ...activity(statistics.lastActivity),
    ],
  };
}

/** The pipeline of the run that is shown, its steps in order, and how far the run is. */
export function pipelineReport({ name, steps }: Pipeline, { execution }: Pick<RunState, 'execution'>): Problem {
  return {
    code: 'console.pipelineInfo',
    params: { pipeline: name },
    details: [
      ...(execution
        ? [
            {
              code: `console.stats.run.${execution.status}`,
              params: { percent: Math.round(execution.progress), task: execution.initialTask },
            },
          ]
        : []),
      ...steps
        .toSorted((a, b) => a.orderIndex - b.orderIndex)
        .map((step, index) => ({ code: 'console.stats.step', params: { number: index + 1, name: step.name } })),
    ],
  };
}

function average(ms: number | null): Problem[] {
  return ms === null ? [] : [{ code: 'console.stats.average', params: { seconds: ms / 1_000 } }];
}

function activity(at: string | null): Problem[] {
  return at === null ? [] : [{ code: 'console.stats.last', params: { at: Date.parse(at) } }];
}
