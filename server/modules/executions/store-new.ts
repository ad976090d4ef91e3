import type { ExecutionEvent } from '../../../contract/execution.ts';
import type { Db } from '../../platform/database/database.ts';
import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import { asSql, insertion, insertions, writeStatement } from '../../platform/database/statement.ts';
import { heldAgents } from '../agents/index.ts';
import type { Recorder } from '../results/index.ts';
import { logging } from './change-statement.ts';
import { recordedRun } from './recorded-run.ts';
import type { ExecutionRow, StepRow } from './rows.ts';
import { executionSteps, executions } from './tables.ts';

/** An execution that is not stored yet, with its steps in order, and what is in its log already. */
export type NewExecution = { row: ExecutionRow; steps: StepRow[]; events: readonly ExecutionEvent[] };

/**
 * Stores a new execution with its steps, and with its history item unless it waits for its start: all of it or nothing, in one
 * statement. `keep` is null for a call without a key, which needs no transaction of its own. False when one of its agents was
 * removed meanwhile.
 */
export function createStoreNew({ db, run, recorder }: { db: Db; run: RunStatement; recorder: Recorder }) {
  return async ({ row, steps, events }: NewExecution, keep: ((tx: Db) => Promise<void>) | null): Promise<boolean> => {
    const agentIds = [...new Set(steps.map(({ agentId }) => agentId))];
    const statement = writeStatement((place) => {
      const source = 'stored';
      const parts = [
        `held AS MATERIALIZED (${heldAgents(row.userId, agentIds, place)})`,
        `stored AS (${insertion(executions, row, { source: 'held', place })} RETURNING id)`,
        `steps AS (${insertions(executionSteps, steps, { source, place })})`,
        ...(events.length === 0 ? [] : [`logged AS (${logging(source, events, place)})`]),
        ...(row.held ? [] : [`told AS (${recorder.started(recordedRun(row, steps))(source, place)})`]),
      ];
      return `WITH ${parts.join(', ')} SELECT id FROM stored`;
    });
    if (keep === null) return (await run(statement)).length === 1;
    return db.transaction(async (tx) => {
      if ((await tx.execute(asSql(statement))).rows.length === 0) return false;
      await keep(tx);
      return true;
    });
  };
}

export type StoreNew = ReturnType<typeof createStoreNew>;
