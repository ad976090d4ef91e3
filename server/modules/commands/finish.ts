import type { BusMessage } from '../../platform/bus/bus.ts';
import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import { recordThought, thoughtMessage } from '../thoughts/index.ts';
import type { Answered } from './ask-model.ts';
import type { CommandRow } from './rows.ts';
import { completion } from './statements.ts';

export type FinishDeps = {
  run: RunStatement;
  bus: { publish: (userId: string, message: BusMessage) => void };
  newId: () => string;
  now: () => Date;
};

/**
 * Stores how a command ended, with what the model thought, and tells it. Answers the command as it is then, or null when it was
 * somebody else's by now: then nothing is written and nothing told.
 */
export function createFinish({ run, bus, newId, now }: FinishDeps) {
  return async (row: CommandRow, { ending, thoughts }: Answered): Promise<CommandRow | null> => {
    const { userId, agentId, projectId } = row;
    const at = now();
    const thought =
      thoughts === null
        ? null
        : { ...{ id: newId(), userId, agentId, projectId, executionId: null, stepId: null }, content: thoughts, createdAt: at };
    const others = thought ? [recordThought(thought)] : [];
    if ((await run(completion(row, ending, at, others))).length !== 1) return null;
    if (thought) bus.publish(userId, thoughtMessage(thought));
    const ended = { ...row, ...ending, startedAt: row.startedAt ?? at, completedAt: at, updatedAt: at };
    bus.publish(userId, resultMessage(ended));
    return ended;
  };
}

export type Finish = ReturnType<typeof createFinish>;

/** What the bus is told of a command that has ended. */
export function resultMessage({ id: commandId, agentId, projectId, status, result, error }: CommandRow): BusMessage {
  const text = result ?? error?.message ?? '';
  return { type: 'agent_command_result', agentId, result: text, projectId, executionId: null, commandId, status };
}
