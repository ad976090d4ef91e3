import type { OperationDocs } from './operation.ts';
import { pendingCommandState, sampleCommand, sampleCommandState, sampleIds, sampleTimes } from './samples.ts';

const id = sampleIds.command;
const agentId = sampleIds.agent;
const request = 'How do I make the price filter fast?';

export const commandOperations: OperationDocs<'command'> = {
  'command.execute': {
    summary: 'Send a command to an agent and wait',
    description:
      'Sends a command to an agent of the caller and waits up to 25 seconds for its result. Responds with 202 and the state of the command when it takes longer. Fails with 429 above 30,000 commands a minute.',
    example: { body: { agentId, request, projectId: sampleIds.project }, response: sampleCommandState },
  },
  'command.executeAsync': {
    summary: 'Send a command to an agent',
    description:
      'Queues a command for an agent of the caller and responds at once. The command survives a restart of the server. Up to 20 commands of one agent run at the same time.',
    example: { body: { agentId, request, projectId: sampleIds.project }, response: pendingCommandState },
  },
  'command.status': {
    summary: 'Get the state of a command',
    description: 'Returns the state of a command of the caller, with its result or error when it has ended.',
    example: { params: { id }, response: sampleCommandState },
  },
  'command.cancel': {
    summary: 'Cancel a command',
    description:
      'Cancels a command of the caller and aborts its model call. A step that the command has joined goes on. Fails with 409 when the command has ended.',
    example: { params: { id }, response: { ...pendingCommandState, status: 'cancelled', completedAt: sampleTimes.completed } },
  },
  'command.history': {
    summary: 'List the commands of an agent',
    description:
      'Returns the commands of an agent of the caller, newest first. Long tasks and results are cut; the state of the command has the whole result.',
    example: { params: { agentId }, query: { status: 'completed', limit: 20 }, response: [sampleCommand] },
  },
  'command.clearHistory': {
    summary: 'Delete the ended commands of an agent',
    description: 'Deletes the commands of an agent of the caller that have ended. Commands that wait or run stay.',
    example: { params: { agentId } },
  },
  'command.statistics': {
    summary: 'Get the command statistics of an agent',
    description: 'Returns how many commands an agent of the caller had, and how they ended. Times are in milliseconds.',
    example: {
      params: { agentId },
      response: {
        totalCommands: 12,
        successfulCommands: 11,
        failedCommands: 1,
        averageExecutionTime: 8_000,
        lastActivity: sampleTimes.completed,
      },
    },
  },
  'command.availability': {
    summary: 'Check whether an agent is available',
    description: 'Returns whether an agent of the caller would begin with a command at once.',
    example: { params: { agentId }, response: { isAvailable: true, status: 1, lastSeen: sampleTimes.completed } },
  },
  'command.load': {
    summary: 'Get the load of an agent',
    description: 'Returns how many commands and steps of an agent of the caller are under way, and how many may be.',
    example: { params: { agentId }, response: { currentLoad: 1, maxLoad: 20, loadPercentage: 5 } },
  },
  'command.openai': {
    summary: 'Request a chat completion',
    description:
      'Takes a chat request in the form of the OpenAI API and answers it with the provider of an agent of the caller. Responds with 202 and a command when it takes longer than 25 seconds. Streaming is not supported.',
    example: {
      params: { agentId },
      body: { messages: [{ role: 'user', content: request }], max_tokens: 200 },
      response: {
        id,
        commandId: id,
        object: 'chat.completion',
        created: 1_768_469_400,
        model: 'gpt-4',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Use an index on `price`.' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 60, completion_tokens: 12, total_tokens: 72 },
        simulated: false,
      },
    },
  },
};
