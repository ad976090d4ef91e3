import type { Agent } from '../../contract/agent.ts';
import type { Command } from '../../contract/command.ts';
import { analysisSettings } from './console-command.ts';
import { blankLine } from './console-lines.ts';
import type { ConsoleMessage } from './workspace-state.ts';

/**
 * What was written in the console before, and what came of it, as the server remembers it: of this project, and of those that were
 * written as commands. Ids are made of the command, so that the same one is never here twice.
 */
export function earlierCommands(agent: Agent, commands: readonly Command[], projectId: string): ConsoleMessage[] {
  return commands
    .filter((command) => command.projectId === projectId && command.executionId === null)
    .flatMap((command) => [asked(agent, command), ...ending(agent, command)]);
}

function asked({ title }: Agent, command: Command): ConsoleMessage {
  return {
    ...blankLine,
    id: `command:${command.id}`,
    timestamp: command.createdAt,
    type: 'message',
    isUser: true,
    text: written(command),
    toAgentTitle: title,
  };
}

/** What was typed: a conversation with the settings of an analysis was one. */
function written({ kind, request, parameters }: Command): string {
  if (kind === 'execute') return `/command ${request}`;
  const analysed = parameters.model === analysisSettings.model && parameters.max_tokens === analysisSettings.max_tokens;
  return analysed ? '/analyze' : `/ai ${request}`;
}

function ending(
  agent: Agent,
  { id, status, result, error, simulated, usage, executionTimeMs, model, ...command }: Command,
): ConsoleMessage[] {
  const timestamp = command.completedAt ?? command.updatedAt;
  const line = { ...blankLine, timestamp };
  const params = { agent: agent.title };
  switch (status) {
    case 'completed':
      return [
        {
          ...line,
          id: `command:${id}:answer`,
          type: 'message',
          ...{ agentId: agent.id, agentTitle: agent.title, role: agent.role },
          ...{ isAI: true, text: result ?? '', simulated },
          cost: { totalTokens: usage?.totalTokens ?? null, durationMs: executionTimeMs, model },
        },
        { ...line, id: `command:${id}:end`, event: { code: 'task.completed', params } },
      ];
    case 'failed':
      return [
        { ...line, id: `command:${id}:end`, event: { code: 'task.failed', params }, isError: true },
        ...(error
          ? [
              {
                ...line,
                id: `command:${id}:cause`,
                event: { code: error.code, params: { ...params, error: error.message } },
                isError: true,
              },
            ]
          : []),
      ];
    case 'cancelled':
      return [{ ...line, id: `command:${id}:end`, event: { code: 'task.cancelled', params }, isWarning: true }];
    case 'pending':
    case 'running':
      return [];
    default:
      return status satisfies never;
  }
}
