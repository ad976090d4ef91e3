import type { ChatCompletion, Command, CommandState } from '../../../../contract/command.ts';
import type { Answer, Backend, Chat } from '../../../../src/workers/engine/backends/port.ts';
import { projectId, team, uuid } from '../samples.ts';
import { missing, now, type Once, ok } from './answers.ts';
import type { FakeServer } from './fake-server.ts';

/** The calls about commands of the console, conversations with agents, and what agents are at. */
export function commandCalls(server: FakeServer, once: Once) {
  return {
    sendCommand: async (request, { idempotencyKey }) =>
      once('command', idempotencyKey, () => {
        server.requests.push(request);
        return ok(addCommand(server, request.agentId, 'execute'));
      }),
    readCommand: async (id) => findCommand(server, id),
    cancelCommand: async (id) => {
      if (findCommand(server, id).ok) server.endCommand({ status: 'cancelled' }, id);
      return findCommand(server, id);
    },
    newestCommand: async (agentId) => ok(server.commands.findLast((command) => command.agentId === agentId) ?? null),
    listCommands: async (agentId, limit) =>
      ok([...runningConversations(server), ...server.history].filter((command) => command.agentId === agentId).slice(0, limit)),
    converse: async (agentId, chat, { idempotencyKey }) =>
      once<ChatCompletion | CommandState>('chat', idempotencyKey, () => {
        server.chats.push(chat);
        const command = addCommand(server, agentId, 'openai');
        server.chatsOfCommands.set(command.id, chat);
        return ok(server.slowToTalk ? command : completionOf(command, chat));
      }),
    publishThought: async (thought) => {
      server.thoughts.push(thought);
      return ok({ ...thought, id: uuid(server.nextNumber(), 6), executionId: null, stepId: null, createdAt: now, updatedAt: now });
    },
    listThoughts: async () => ok([]),
    // Agents that were made here have not worked yet.
    agentStatistics: async (id) =>
      team.some((agent) => agent.id === id) || server.worked.has(id)
        ? ok({ totalCommands: 5, successfulCommands: 4, failedCommands: 1, averageExecutionTime: 1_250, lastActivity: now })
        : ok({ totalCommands: 0, successfulCommands: 0, failedCommands: 0, averageExecutionTime: null, lastActivity: null }),
    agentAvailability: async () => ok({ isAvailable: true, status: 1, lastSeen: now }),
    agentLoad: async () => ok({ currentLoad: 1, maxLoad: 20, loadPercentage: 5 }),
  } satisfies Partial<Backend>;
}

function findCommand(server: FakeServer, id: string): Answer<CommandState> {
  const command = server.commands.find((known) => known.id === id);
  return command ? ok(structuredClone(command)) : missing;
}

/** Running conversations, newest first, as the agent's history shows them. */
function runningConversations(server: FakeServer): Command[] {
  return server.commands.toReversed().flatMap((state) => {
    const chat = server.chatsOfCommands.get(state.id);
    if (!chat || state.status !== 'running') return [];
    const { messages, projectId: _, ...parameters } = chat;
    const { response: __, ...command } = state;
    const request = messages.at(-1)?.content ?? '';
    return [structuredClone({ ...command, request, parameters, timestamp: now, initialTask: null, task: null, data: null })];
  });
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
