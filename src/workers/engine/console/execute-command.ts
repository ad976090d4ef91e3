import type { CallInput } from '../../../../contract/call.ts';
import type { ChatCompletion, CommandState } from '../../../../contract/command.ts';
import { analysisQuestion } from '../../../model/console/analysis-question.ts';
import { isCommandId } from '../../../model/console/command-id.ts';
import { analysisSettings, promptSettings } from '../../../model/console/console-command.ts';
import { blankLine } from '../../../model/console/console-lines.ts';
import type { Problem } from '../../../model/problem.ts';
import type { MessageCost } from '../../../model/workspace-state.ts';
import type { Answer } from '../backends/port.ts';
import { callOnce } from '../backends/retry-lost-call.ts';
import type { EngineContext } from '../engine-context.ts';
import { CommandWatch, isUnexpected } from './command-watch.ts';
import type { PendingCommand } from './pending-command.ts';
import { agentReport, pipelineReport, projectReport } from './reports.ts';

type Chat = Omit<CallInput<'command.openai'>['body'], 'metadata'>;

/** Executes a command, writes its result to the console, and returns the status to show; null if there is none. W2.17 */
export async function executeCommand(context: EngineContext, pending: PendingCommand): Promise<Problem | null> {
  const { store, backend, console } = context;
  const { agent, name, text } = pending;
  const { project, run } = store.state;
  if (!project) return refuse(context, { code: 'workspace.opening' });
  switch (name) {
    case 'command':
      return sendToAgent(context, pending, project.id);
    case 'ai':
      return converse(context, pending, {
        ...promptSettings,
        projectId: project.id,
        messages: [{ role: 'user', content: text }],
      });
    case 'analyze':
      return converse(context, pending, {
        ...analysisSettings,
        projectId: project.id,
        messages: analysisQuestion({ ...store.state, document: store.document }, context.language()),
      });
    case 'thought': {
      const thought = { agentId: agent.id, content: text, projectId: project.id };
      const published = await callOnce(context, 'thought.publish', { body: thought });
      if (!published.ok) return refuse(context, published.fault.problem);
      console.addEvent({ code: 'console.thought', params: { agent: agent.title } });
      return { code: 'console.status.thought' };
    }
    case 'agent-stats': {
      const [statistics, load] = await Promise.all([
        backend.call('agent.statistics', { params: { id: agent.id } }),
        backend.call('command.load', { params: { agentId: agent.id } }),
      ]);
      if (!statistics.ok) return refuse(context, statistics.fault.problem);
      if (!load.ok) return refuse(context, load.fault.problem);
      console.addEvent(agentReport(agent, statistics.value, load.value));
      return null;
    }
    case 'pipeline-info': {
      if (!run.execution) return refuse(context, { code: 'console.noPipeline' });
      return report(context, await backend.call('pipeline.get', { params: { id: run.execution.pipelineId } }), (pipeline) =>
        pipelineReport(pipeline, run),
      );
    }
    case 'project-stats':
      return report(context, await backend.call('project.statistics', { params: { id: project.id } }), (found) =>
        projectReport(project.name, found),
      );
    default:
      return name satisfies never;
  }
}

function report<T>(context: EngineContext, answer: Answer<T>, describe: (value: T) => Problem): Problem | null {
  if (!answer.ok) return refuse(context, answer.fault.problem);
  context.console.addEvent(describe(answer.value));
  return null;
}

async function sendToAgent(context: EngineContext, pending: PendingCommand, projectId: string): Promise<Problem | null> {
  const { backend, environment } = context;
  const { agent, text } = pending;
  const request = { agentId: agent.id, request: text, projectId, timestamp: new Date(environment.now()).toISOString() };
  const given = await callOnce(context, 'command.executeAsync', { body: { ...request, async: true } });
  if (given.ok) return followCommand(context, pending, given.value.id, 'console.status.command');
  const { code, params } = given.fault.problem;
  if (code !== 'bad_answer') {
    return refuse(context, { code: 'console.notExecuted', params: { ...params, agent: agent.title, cause: code } });
  }
  if (params?.field === 'id') return invalidId(context, agent.title);
  // The answer had no id: the command is taken to be the agent's newest. W7.03
  const newest = await backend.call('command.history', { params: { agentId: agent.id }, query: { limit: 1 } });
  return followCommand(context, pending, newest.ok ? newest.value[0]?.id : null, 'console.status.command');
}

async function converse(context: EngineContext, pending: PendingCommand, chat: Chat): Promise<Problem | null> {
  const answer = await callOnce(context, 'command.openai', {
    params: { agentId: pending.agent.id },
    body: { ...chat, metadata: { requestId: pending.requestId } },
  });
  if (answer.ok) {
    if ('choices' in answer.value) return showCompletion(context, pending, answer.value);
    return followCommand(context, pending, answer.value.id, 'console.status.ai');
  }
  const { problem } = answer.fault;
  if (isUnexpected(problem)) return refuse(context, { code: 'agent.unexpectedResult', params: { agent: pending.agent.title } });
  return problem.params?.status === 'cancelled' ? showEnd(context, pending, 'cancelled') : showEnd(context, pending, 'failed', problem);
}

/** Waits for a command on the server, writes its result to the console, and returns the status to show. W5.06 */
export async function followCommand(context: EngineContext, pending: PendingCommand, id: unknown, status: string): Promise<Problem | null> {
  const { backend, console, environment } = context;
  const agent = pending.agent.title;
  if (id === null || id === undefined) return refuse(context, { code: 'agent.noCommandId', params: { agent } });
  if (!isCommandId(id)) return invalidId(context, agent);
  const watch = new CommandWatch(id, backend, environment);
  pending.followedBy(watch);
  const end = await watch.end({
    agent,
    onLate: () => console.addEvent({ code: 'console.timedOut', params: { agent } }, 'warning'),
    onTrouble: ({ code, params }) => console.addEvent({ code: 'console.waitFailed', params: { ...params, agent, cause: code } }, 'warning'),
  });
  if (!end) return null;
  if ('unknowable' in end) return refuse(context, end.unknowable);
  const { ended } = end;
  if (ended.status === 'cancelled') return showEnd(context, pending, 'cancelled');
  if (ended.status !== 'completed') {
    const { error } = ended;
    return showEnd(context, pending, 'failed', error ? { code: error.code, params: { agent, error: error.message } } : null);
  }
  return showAnswer(context, pending, ended.result ?? '', ended.simulated, costOf(ended), status);
}

function costOf({ usage, executionTimeMs, model }: CommandState): MessageCost {
  return { totalTokens: usage?.totalTokens ?? null, durationMs: executionTimeMs, model };
}

function showCompletion(context: EngineContext, pending: PendingCommand, completion: ChatCompletion): Problem | null {
  const { choices, usage, model, simulated } = completion;
  const durationMs = context.environment.now() - pending.startedAt;
  const cost = { totalTokens: usage?.total_tokens ?? null, durationMs, model };
  return showAnswer(context, pending, choices[0]?.message.content ?? '', simulated, cost, 'console.status.ai');
}

function invalidId(context: EngineContext, agent: string): Problem {
  context.console.addEvent({ code: 'agent.invalidCommandId', params: { agent } }, 'warning');
  return refuse(context, { code: 'console.invalidId', params: { agent } });
}

function showAnswer(
  context: EngineContext,
  { agent }: PendingCommand,
  text: string,
  simulated: boolean,
  cost: MessageCost,
  status: string,
): Problem {
  const { console, environment } = context;
  if (!text.trim()) return refuse(context, { code: 'agent.noResult', params: { agent: agent.title } });
  const answer = {
    ...blankLine,
    id: environment.newId(),
    timestamp: new Date(environment.now()).toISOString(),
    type: 'message' as const,
    agentId: agent.id,
    agentTitle: agent.title,
    role: agent.role,
    isAI: true,
    text,
    simulated,
    cost,
  };
  console.add([answer, console.line({ code: 'task.completed', params: { agent: agent.title } })]);
  return { code: status };
}

/** Writes that a command failed or was cancelled, and why. */
function showEnd(
  { console }: EngineContext,
  { agent }: PendingCommand,
  how: 'failed' | 'cancelled',
  cause: Problem | null = null,
): Problem {
  const event = { code: `task.${how}`, params: { agent: agent.title } };
  console.addEvent(event, how === 'failed' ? 'error' : 'warning');
  if (cause) console.addEvent({ code: 'console.failed', params: { ...cause.params, cause: cause.code } }, 'error');
  return event;
}

function refuse({ console }: EngineContext, problem: Problem): Problem {
  console.addEvent(problem, skips.has(problem.code) ? 'warning' : 'error');
  return problem;
}

/** Why an agent is skipped: a warning, as it is in a run. W8.03 */
const skips = new Set(['agent.noResult', 'agent.noCommandId', 'agent.unexpectedResult']);
