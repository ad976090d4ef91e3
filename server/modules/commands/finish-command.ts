import type { Bus } from '../../platform/bus/bus.ts';
import type { Db } from '../../platform/database/database.ts';
import { type RunStatement, runIn } from '../../platform/database/prepared-statements.ts';
import { assignments, type SqlFragment, type Statement, writeStatement } from '../../platform/database/statement.ts';
import type { WorkQueue } from '../../platform/work-queue/work-queue.ts';
import { storingSpend } from '../budgets/index.ts';
import { recordThought, thoughtMessage } from '../thoughts/index.ts';
import type { Answered } from './ask-model.ts';
import type { CommandWaits } from './command-waits.ts';
import type { CommandRow, Ending } from './rows.ts';
import { agentCommands } from './tables.ts';

type FinishCommandDeps = {
  db: Db;
  run: RunStatement;
  queue: Pick<WorkQueue, 'removeJob'>;
  waits: Pick<CommandWaits, 'publishEnd'>;
  bus: Pick<Bus, 'publish'>;
  newId: () => string;
  now: () => Date;
};

/** What happens to the job of a command that ends: it is removed, stays as it is, or is buried in the same transaction. */
export type JobAtEnd = 'remove' | 'keep' | { bury: (tx: Db) => Promise<void> };

/**
 * Stores how a command ended, with the model's thoughts, and publishes it. Returns the command after that, or null when the
 * attempt has lost it: then nothing is written or published, and the job stays.
 */
export function createFinishCommand({ db, run, queue, waits, bus, newId, now }: FinishCommandDeps) {
  return async (row: CommandRow, { ending, thoughts, spend = [] }: Answered, job: JobAtEnd): Promise<CommandRow | null> => {
    const { userId, agentId, projectId } = row;
    const at = now();
    const thought =
      thoughts === null
        ? null
        : { id: newId(), userId, agentId, projectId, executionId: null, stepId: null, content: thoughts, createdAt: at };
    const removal: SqlFragment = (source, place) => queue.removeJob('command', row.id, { source, place });
    const others = [
      ...(thought ? [recordThought(thought)] : []),
      ...(spend.length > 0 ? [storingSpend(spend)] : []),
      ...(job === 'remove' ? [removal] : []),
    ];
    const statement = completion(row, ending, at, others);
    const stored =
      typeof job === 'string'
        ? await run(statement)
        : await db.transaction(async (tx) => {
            const rows = await runIn(tx)(statement);
            if (rows.length === 1) await job.bury(tx);
            return rows;
          });
    if (stored.length !== 1) return null;
    if (thought) bus.publish(userId, thoughtMessage(thought));
    const after = { ...row, ...ending, startedAt: row.startedAt ?? at, completedAt: at, updatedAt: at };
    waits.publishEnd(after);
    return after;
  };
}

export type FinishCommand = ReturnType<typeof createFinishCommand>;

/** Ends a command if it still has the attempt's epoch, with further writes. Returns one row when it was ended. */
function completion({ id, leaseEpoch }: CommandRow, ending: Ending, now: Date, others: readonly SqlFragment[]): Statement {
  return writeStatement((place) => {
    const sets = assignments(agentCommands, { ...ending, completedAt: now, updatedAt: now }, place);
    const parts = [
      `changed AS (UPDATE agent_commands SET ${sets}, started_at = coalesce(started_at, ${place(now.toISOString())}::timestamptz)
        WHERE id = ${place(id)} AND lease_epoch = ${place(leaseEpoch)} AND status IN ('pending', 'running') RETURNING id)`,
      ...others.map((other, index) => `other_${index} AS (${other('changed', place)})`),
    ];
    return `WITH ${parts.join(', ')} SELECT id FROM changed`;
  });
}
