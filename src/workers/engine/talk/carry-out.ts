import type { Agent } from '../../../../contract/agent.ts';
import type { ChatCompletion, CommandState } from '../../../../contract/command.ts';
import { analysisQuestion } from '../../../model/console/analysis-question.ts';
import { isCommandId } from '../../../model/console/command-id.ts';
import { analysisSettings, promptSettings, type SlashCommand } from '../../../model/console/console-command.ts';
import { blankLine } from '../../../model/console/console-lines.ts';
import type { Problem } from '../../../model/problem.ts';
import type { MessageCost } from '../../../model/workspace-state.ts';
import type { Answer, Chat } from '../backends/port.ts';
import { twice } from '../twice.ts';
import { CommandWatch, isUnexpected } from './command-watch.ts';
import type { TalkDependencies } from './console-talk.ts';
import { agentReport, pipelineReport, projectReport } from './report.ts';

/** One command on its way. */
export type Errand = {
  /** Help is given at once. */
  name: Exclude<SlashCommand, 'help'>;
  text: string;
  agent: Agent;
  /** Ms since the epoch. */
  startedAt: number;
  /** Follows the server's command, once there is one. */
  watch: CommandWatch | null;
};

/** Does a command, writes to the console what came of it, and returns the status to show, null where there is none. W2.17 */
export async function carryOut(dependencies: TalkDependencies, errand: Errand): Promise<Problem | null> {
  const { store, backend, console } = dependencies;
  const { agent, name, text } = errand;
  const { project, run } = store.state;
  if (!project) return refuse(dependencies, { code: 'workspace.opening' });
  switch (name) {
    case 'command':
      return command(dependencies, errand, project.id);
    case 'ai':
      return converse(dependencies, errand, {
        ...promptSettings,
        projectId: project.id,
        messages: [{ role: 'user', content: text }],
      });
    case 'analyze':
      return converse(dependencies, errand, {
        ...analysisSettings,
        projectId: project.id,
        messages: analysisQuestion({ ...store.state, document: store.document }, dependencies.language()),
      });
    case 'thought': {
      const key = { idempotencyKey: dependencies.environment.newId() };
      const thought = { agentId: agent.id, content: text, projectId: project.id };
      const published = await twice(dependencies.environment, () => backend.publishThought(thought, key));
      if (!published.ok) return refuse(dependencies, published.fault.problem);
      console.says({ code: 'console.thought', params: { agent: agent.title } });
      return { code: 'console.status.thought' };
    }
    case 'agent-stats': {
      const [statistics, load] = await Promise.all([backend.agentStatistics(agent.id), backend.agentLoad(agent.id)]);
      if (!statistics.ok) return refuse(dependencies, statistics.fault.problem);
      if (!load.ok) return refuse(dependencies, load.fault.problem);
      console.says(agentReport(agent, statistics.value, load.value));
      return null;
    }
    case 'pipeline-info': {
      if (!run.execution) return refuse(dependencies, { code: 'console.noPipeline' });
      return report(dependencies, await backend.readPipeline(run.execution.pipelineId), (pipeline) => pipelineReport(pipeline, run));
    }
    case 'project-stats':
      return report(dependencies, await backend.projectStatistics(project.id), (found) => projectReport(project.name, found));
    default:
      return name satisfies never;
  }
}

function report<T>(dependencies: TalkDependencies, answer: Answer<T>, say: (value: T) => Problem): Problem | null {
  if (!answer.ok) return refuse(dependencies, answer.fault.problem);
  dependencies.console.says(say(answer.value));
  return null;
}

async function command(dependencies: TalkDependencies, errand: Errand, projectId: string): Promise<Problem | null> {
  const { backend, environment } = dependencies;
  const { agent, text } = errand;
  const key = { idempotencyKey: environment.newId() };
  const request = { agentId: agent.id, request: text, projectId, timestamp: new Date(environment.now()).toISOString() };
  const given = await twice(environment, () => backend.giveCommand(request, key));
  if (given.ok) return follow(dependencies, errand, given.value.id, 'console.status.command');
  const { code, params } = given.fault.problem;
  if (code !== 'bad_answer') {
    return refuse(dependencies, { code: 'console.notExecuted', params: { ...params, agent: agent.title, cause: code } });
  }
  if (params?.field === 'id') return invalidId(dependencies, agent.title);
  // The answer told no id, so that the command is the newest of the agent's. W7.03
  const newest = await backend.newestCommand(agent.id);
  return follow(dependencies, errand, newest.ok ? newest.value?.id : null, 'console.status.command');
}

async function converse(dependencies: TalkDependencies, errand: Errand, chat: Chat): Promise<Problem | null> {
  const { backend, environment } = dependencies;
  const key = { idempotencyKey: environment.newId() };
  const answer = await twice(environment, () => backend.converse(errand.agent.id, chat, key));
  if (answer.ok) {
    if ('choices' in answer.value) return completed(dependencies, errand, answer.value);
    return follow(dependencies, errand, answer.value.id, 'console.status.ai');
  }
  const { problem } = answer.fault;
  if (isUnexpected(problem)) return refuse(dependencies, { code: 'agent.unexpectedResult', params: { agent: errand.agent.title } });
  return problem.params?.status === 'cancelled' ? over(dependencies, errand, 'cancelled') : over(dependencies, errand, 'failed', problem);
}

/** Waits for a command of the server's, writes what came of it, and returns the status to show. W5.06 */
export async function follow(dependencies: TalkDependencies, errand: Errand, id: unknown, status: string): Promise<Problem | null> {
  const { backend, console, environment } = dependencies;
  const agent = errand.agent.title;
  if (id === null || id === undefined) return refuse(dependencies, { code: 'agent.noCommandId', params: { agent } });
  if (!isCommandId(id)) return invalidId(dependencies, agent);
  const watch = new CommandWatch(id, backend, environment);
  errand.watch = watch;
  const end = await watch.end({
    agent,
    onLate: () => console.says({ code: 'console.timedOut', params: { agent } }, 'warning'),
    onTrouble: ({ code, params }) => console.says({ code: 'console.waitFailed', params: { ...params, agent, cause: code } }, 'warning'),
  });
  if (!end) return null;
  if ('given' in end) return refuse(dependencies, end.problem);
  const { ended } = end;
  if (ended.status === 'cancelled') return over(dependencies, errand, 'cancelled');
  if (ended.status !== 'completed') {
    const { error } = ended;
    return over(dependencies, errand, 'failed', error ? { code: error.code, params: { agent, error: error.message } } : null);
  }
  return answered(dependencies, errand, ended.result ?? '', ended.simulated, costOf(ended), status);
}

function costOf({ usage, executionTimeMs, model }: CommandState): MessageCost {
  return { totalTokens: usage?.totalTokens ?? null, durationMs: executionTimeMs, model };
}

function completed(dependencies: TalkDependencies, errand: Errand, completion: ChatCompletion): Problem | null {
  const { choices, usage, model, simulated } = completion;
  const durationMs = dependencies.environment.now() - errand.startedAt;
  const cost = { totalTokens: usage?.total_tokens ?? null, durationMs, model };
  return answered(dependencies, errand, choices[0]?.message.content ?? '', simulated, cost, 'console.status.ai');
}

function invalidId(dependencies: TalkDependencies, agent: string): Problem {
  dependencies.console.says({ code: 'agent.invalidCommandId', params: { agent } }, 'warning');
  return refuse(dependencies, { code: 'console.invalidId', params: { agent } });
}

function answered(
  dependencies: TalkDependencies,
  { agent }: Errand,
  text: string,
  simulated: boolean,
  cost: MessageCost,
  status: string,
): Problem {
  const { console, environment } = dependencies;
  if (!text.trim()) return refuse(dependencies, { code: 'agent.noResult', params: { agent: agent.title } });
  const answer = {
    ...blankLine,
    id: environment.newId(),
    timestamp: new Date(environment.now()).toISOString(),
    type: 'message' as const,
    ...{ agentId: agent.id, agentTitle: agent.title, role: agent.role },
    ...{ isAI: true, text, simulated, cost },
  };
  console.add([answer, console.line({ code: 'task.completed', params: { agent: agent.title } })]);
  return { code: status };
}

/** A command that came to nothing, and why. */
function over({ console }: TalkDependencies, { agent }: Errand, how: 'failed' | 'cancelled', cause: Problem | null = null): Problem {
  const event = { code: `task.${how}`, params: { agent: agent.title } };
  console.says(event, how === 'failed' ? 'error' : 'warning');
  if (cause) console.says({ code: 'console.failed', params: { ...cause.params, cause: cause.code } }, 'error');
  return event;
}

function refuse({ console }: TalkDependencies, problem: Problem): Problem {
  console.says(problem, skips.has(problem.code) ? 'warning' : 'error');
  return problem;
}

/** What an agent is skipped for is a warning, as it is in a run. W8.03 */
const skips = new Set(['agent.noResult', 'agent.noCommandId', 'agent.unexpectedResult']);
