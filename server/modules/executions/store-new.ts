import type { KeepAnswer } from '../../http/call.ts';
import type { Db } from '../../platform/database/database.ts';
import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import { asSql, insertion, insertions, writeStatement } from '../../platform/database/statement.ts';
import { heldAgents } from '../agents/index.ts';
import type { Recorder } from '../results/index.ts';
import { recordedRun } from './recorded-run.ts';
import { type ExecutionRow, type StepRow, toExecution } from './rows.ts';
import { executionSteps, executions } from './tables.ts';

/** An execution that is not stored yet, with its steps in order. */
export type NewExecution = { row: ExecutionRow; steps: StepRow[] };

/**
 * Stores a new execution with its steps, and with its history item unless it waits for its start: all of it or nothing, in one
 * statement. `keep` is null for a call without a key, which needs no transaction of its own. False when one of its agents was
 * removed meanwhile.
 */
export function createStoreNew({ db, run, recorder }: { db: Db; run: RunStatement; recorder: Recorder }) {
  return async ({ row, steps }: NewExecution, keep: KeepAnswer | null): Promise<boolean> => {
    const agentIds = [...new Set(steps.map(({ agentId }) => agentId))];
    const statement = writeStatement((place) => {
      const source = 'stored';
      const parts = [
        `held AS MATERIALIZED (${heldAgents(row.userId, agentIds, place)})`,
        `stored AS (${insertion(executions, row, { source: 'held', place })} RETURNING id)`,
        `steps AS (${insertions(executionSteps, steps, { source, place })})`,
        ...(row.held ? [] : [`told AS (${recorder.started(recordedRun(row, steps))(source, place)})`]),
      ];
      return `WITH ${parts.join(', ')} SELECT id FROM stored`;
    });
    if (keep === null) return (await run(statement)).length === 1;
    return db.transaction(async (tx) => {
      if ((await tx.execute(asSql(statement))).rows.length === 0) return false;
      await keep(tx, toExecution(row));
      return true;
    });
  };
}

export type StoreNew = ReturnType<typeof createStoreNew>;
