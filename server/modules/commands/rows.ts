import type { Command, CommandState } from '../../../contract/command.ts';
import type { agentCommands } from './tables.ts';

export type CommandRow = typeof agentCommands.$inferSelect;

/** A command whose attempt has begun, and whether budgets may apply to it. */
export type BegunCommand = CommandRow & { hasBudget: boolean };

/** How a command ended, and its stored result. */
export type Ending = Pick<CommandRow, 'result' | 'finish' | 'error' | 'provider' | 'model' | 'simulated' | 'usage' | 'executionTimeMs'> & {
  status: 'completed' | 'failed' | 'cancelled';
};

/** What a command holds that has no answer. */
export const unanswered: Omit<Ending, 'status'> = {
  result: null,
  finish: null,
  error: null,
  provider: null,
  model: null,
  simulated: false,
  usage: null,
  executionTimeMs: null,
};

export function hasEnded({ status }: Pick<CommandRow, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** Converts a row to the API's command. */
export function toState(row: CommandRow): CommandState {
  return { ...shared(row), response: row.result };
}

export function toCommand(row: CommandRow): Command {
  const { request, initialTask, task, parameters, data } = row;
  return { ...shared(row), request, initialTask, task, parameters, data, timestamp: (row.sentAt ?? row.createdAt).toISOString() };
}

function shared(row: CommandRow) {
  const { id, agentId, projectId, executionId, stepId, kind, status, result, error, executionTimeMs } = row;
  const { provider, model, simulated, usage, attempts, startedAt, completedAt, createdAt, updatedAt } = row;
  return {
    id,
    commandId: id,
    agentId,
    projectId,
    executionId,
    stepId,
    kind,
    status,
    result,
    error,
    progress: status === 'completed' ? 100 : 0,
    executionTimeMs,
    provider,
    model,
    ...(row.finish === 'length' && { isUnfinished: true as const }),
    simulated,
    usage,
    attempts,
    startedAt: startedAt?.toISOString() ?? null,
    completedAt: completedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
