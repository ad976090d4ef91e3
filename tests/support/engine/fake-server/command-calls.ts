import type { ChatCompletion, Command, CommandState } from '../../../../contract/command.ts';
import type { Answer, RouteMap } from '../../../../src/workers/engine/backends/port.ts';
import { projectId, team, uuid } from '../samples.ts';
import { missing, now, type Once, ok } from './answers.ts';
import type { AgentRequest, Chat, FakeServer } from './fake-server.ts';

/** The calls about commands of the console, conversations with agents, and what agents are at. */
export function commandCalls(server: FakeServer, once: Once) {
  return {
    'command.executeAsync': ({ body: { async: _, ...request }, idempotencyKey }) =>
      once('command', idempotencyKey, () => {
        server.requests.push(request as AgentRequest);
        return ok(addCommand(server, request.agentId, 'execute'));
      }),
    'command.status': ({ params: { id } }) => findCommand(server, id),
    'command.cancel': ({ params: { id } }) => {
      if (findCommand(server, id).ok) server.endCommand({ status: 'cancelled' }, id);
      return findCommand(server, id);
    },
    // The newest command of all; a list has the conversations at work, and the commands of earlier visits that a test has set.
    'command.history': ({ params: { agentId }, query }) => {
      const known =
        query?.limit === 1 ? server.commands.toReversed().map((command) => listed(server, command)) : runningConversations(server);
      return ok([...known, ...server.history].filter((command) => command.agentId === agentId).slice(0, Number(query?.limit)));
    },
    'command.openai': ({ params: { agentId }, body, idempotencyKey }) =>
      once<ChatCompletion | CommandState>('chat', idempotencyKey, () => {
        const chat = body as Chat;
        server.chats.push(chat);
        const command = addCommand(server, agentId, 'openai');
        server.chatsOfCommands.set(command.id, chat);
        return ok(server.slowToTalk ? command : completionOf(command, chat));
      }),
    'thought.publish': ({ body }) => {
      const thought = body as (typeof server.thoughts)[number];
      server.thoughts.push(thought);
      return ok({ ...thought, id: uuid(server.nextNumber(), 6), executionId: null, stepId: null, createdAt: now, updatedAt: now });
    },
    'thought.ofProject': () => ok([]),
    // Agents that were made here have not worked yet.
    'agent.statistics': ({ params: { id } }) =>
      team.some((agent) => agent.id === id) || server.worked.has(id)
        ? ok({ totalCommands: 5, successfulCommands: 4, failedCommands: 1, averageExecutionTime: 1_250, lastActivity: now })
        : ok({ totalCommands: 0, successfulCommands: 0, failedCommands: 0, averageExecutionTime: null, lastActivity: null }),
    'command.availability': () => ok({ isAvailable: true, status: 1, lastSeen: now }),
    'command.load': () => ok({ currentLoad: 1, maxLoad: 20, loadPercentage: 5 }),
  } satisfies Partial<RouteMap>;
}

function findCommand(server: FakeServer, id: string): Answer<CommandState> {
  const command = server.commands.find((known) => known.id === id);
  return command ? ok(structuredClone(command)) : missing;
}

/** Running conversations, newest first, as the agent's history shows them. */
function runningConversations(server: FakeServer): Command[] {
  const running = server.commands.filter(({ id, status }) => status === 'running' && server.chatsOfCommands.has(id));
  return running.toReversed().map((command) => listed(server, command));
}

/** A command as the agent's history shows it. */
function listed(server: FakeServer, { response: _, ...command }: CommandState): Command {
  const { messages = [], projectId: __, ...parameters } = server.chatsOfCommands.get(command.id) ?? {};
  const request = messages.at(-1)?.content ?? '';
  return structuredClone({ ...command, request, parameters, timestamp: now, initialTask: null, task: null, data: null });
}

function addCommand(server: FakeServer, agentId: string, kind: CommandState['kind']): CommandState {
  const id = uuid(server.nextNumber(), 5);
  const command: CommandState = {
    ...{ id, commandId: id, agentId, projectId, executionId: null, stepId: null, kind, status: 'running' },
    ...{ result: null, response: null, error: null, progress: 0, executionTimeMs: null, provider: null, model: null },
    ...{ simulated: false, usage: null, attempts: 1, startedAt: now, completedAt: null, createdAt: now, updatedAt: now },
  };
  server.commands.push(command);
  return structuredClone(command);
}

function completionOf({ id }: CommandState, { model, messages }: Chat): ChatCompletion {
  return {
    ...{ id, commandId: id, object: 'chat.completion', created: 0, model, simulated: true },
    choices: [
      { index: 0, message: { role: 'assistant', content: `Answer to ${messages.at(-1)?.content.slice(0, 20)}` }, finish_reason: 'stop' },
    ],
    usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
  };
}
