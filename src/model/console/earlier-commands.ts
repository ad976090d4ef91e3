import type { Agent } from '../../../contract/agent.ts';
import type { Command } from '../../../contract/command.ts';
import type { ConsoleMessage } from '../workspace-state.ts';
import { analysisSettings, type SlashCommand } from './console-command.ts';
import { blankLine } from './console-lines.ts';

/**
 * Converts commands that the server remembers into console messages with their answers. Ids follow from the command, so that a command
 * appears once.
 */
export function earlierCommands(agent: Agent, commands: readonly Command[]): ConsoleMessage[] {
  return commands.flatMap((command) => [asked(agent, command), ...ending(agent, command)]);
}

/** Whether a command was entered in the console of this project: a step of a run was not. */
export function isConsoleCommand(command: Command, projectId: string): boolean {
  return command.projectId === projectId && command.executionId === null;
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

function written(command: Command): string {
  const name = commandName(command);
  return name === 'analyze' ? `/${name}` : `/${name} ${command.request}`;
}

/** Returns the typed line: a conversation with the settings of an analysis was one. */
export function commandName({ kind, parameters }: Command): Extract<SlashCommand, 'command' | 'ai' | 'analyze'> {
  if (kind === 'execute') return 'command';
  const analysed = parameters.model === analysisSettings.model && parameters.max_tokens === analysisSettings.max_tokens;
  return analysed ? 'analyze' : 'ai';
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
      if (!result?.trim()) return [{ ...line, id: `command:${id}:end`, event: { code: 'agent.noResult', params }, isWarning: true }];
      return [
        {
          ...line,
          id: `command:${id}:answer`,
          type: 'message',
          agentId: agent.id,
          agentTitle: agent.title,
          role: agent.role,
          isAI: true,
          text: result,
          simulated,
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
                event: { code: 'console.failed', params: { ...params, cause: error.code, error: error.message } },
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
