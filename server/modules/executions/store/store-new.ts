import type { ExecutionEvent } from '../../../../contract/executions/execution-event.ts';
import type { Db } from '../../../platform/database/database.ts';
import { type RunStatement, runIn } from '../../../platform/database/prepared-statements.ts';
import {
  type BindValue,
  insertion,
  insertions,
  type SqlFragment,
  type Statement,
  writeStatement,
} from '../../../platform/database/statement.ts';
import type { OwnerId } from '../../../platform/owner-id.ts';
import type { WorkQueue } from '../../../platform/work-queue/work-queue.ts';
import { lockAgents } from '../../agents/index.ts';
import { type BudgetRow, storingBudget } from '../../budgets/index.ts';
import { sealInputSet } from '../../inputs/index.ts';
import type { Recorder } from '../../results/index.ts';
import type { AccountStorage } from '../../storage/index.ts';
import { logging } from './change-statement.ts';
import { distinctSteps } from './distinct-steps.ts';
import { recordedRun } from './recorded-run.ts';
import type { ExecutionRow, StepRow } from './rows.ts';
import { isBelowRunLimit } from './run-limit.ts';
import { executionSteps, executions } from './tables.ts';

/** An execution before it is stored, with its steps in order. */
type NewExecution = {
  row: ExecutionRow;
  steps: StepRow[];
  /** The events of an execution that has begun. */
  events?: readonly ExecutionEvent[];
  /** The agents that must still be there; those of all steps unless given. */
  agentIds?: readonly string[];
  /** The agents of its history item; those of all steps unless given. */
  shownAgents?: readonly StepRow[];
  budget?: BudgetRow | null;
  /** Of a fork: its original, which must still be there and have ended, and further writes. */
  also?: { parent: { id: string; userId: OwnerId }; writes: readonly SqlFragment[] };
};

/** The job of a new execution: due after `delayMs`, or taken by this process. */
type JobOfNew = { delayMs?: number | undefined; isTaken?: boolean };

type StoreNewDeps = {
  db: Db;
  /** Runs one statement in a transaction of its own. */
  run: RunStatement;
  recorder: Recorder;
  queue: Pick<WorkQueue, 'insertJob'>;
  storage: Pick<AccountStorage, 'storing'>;
  /** Runs of many steps are stored one after another. */
  inTurn: <T>(steps: number, store: () => Promise<T>) => Promise<T>;
  /** The maximum of started and unfinished executions of one account. */
  maxStarted: number;
};

/** The outcome: nothing is stored when an agent was removed meanwhile, or when the account has too many active executions. */
type Stored = 'stored' | 'agent_removed' | 'too_many';

/**
 * Stores a new execution with its steps in one transaction; its job and its history item too, unless it waits for its start.
 * `keep` is null for a call without an idempotency key. Throws `quota_reached` where the account has no room for it.
 */
export function createStoreNew({ db, run, recorder, queue, storage, inTurn, maxStarted }: StoreNewDeps) {
  const store = async (run: RunStatement, statement: Statement): Promise<Stored> => {
    const [outcome] = await run(statement);
    if (outcome?.stored === true) return 'stored';
    return outcome?.room === false ? 'too_many' : 'agent_removed';
  };

  const storing = (
    { row, steps, also, budget = null, events = [], ...given }: NewExecution,
    { delayMs = 0, isTaken = false }: JobOfNew,
  ): Statement => {
    const agentIds = given.agentIds ?? [...new Set(steps.map(({ agentId }) => agentId))];
    return writeStatement((place) => {
      const room = row.notStarted ? 'true' : isBelowRunLimit(row.userId, maxStarted, place);
      const { inputSetId, userId, projectId } = row;
      const source = 'stored';
      const held = inputSetId === null ? 'agents_held' : 'inputs_held';
      const parts = [
        `room AS MATERIALIZED (SELECT ${room} AS room)`,
        ...(also ? [`parent_held AS MATERIALIZED (${lockEnded(also.parent, place)})`] : []),
        `agents_held AS MATERIALIZED (SELECT held.* FROM (${lockAgents(row.userId, agentIds, place)}) AS held, room${also ? ', parent_held' : ''} WHERE room.room)`,
        ...(inputSetId === null
          ? []
          : [`inputs_held AS (${sealInputSet({ setId: inputSetId, userId, projectId }, 'agents_held', place)})`]),
        `stored AS (${insertion(executions, row, { source: held, place })} RETURNING id)`,
        `steps AS (${insertions(executionSteps, distinctSteps(steps), { source, place })})`,
        ...(events.length === 0 ? [] : [`logged AS (${logging(source, events, place)})`]),
        ...(budget === null ? [] : [`budgeted AS (${storingBudget(budget)(source, place)})`]),
        ...(row.notStarted ? [] : [`told AS (${recorder.started(recordedRun(row, given.shownAgents ?? steps))(source, place)})`]),
        ...(also?.writes ?? []).map((write, at) => `also_${at} AS (${write(source, place)})`),
        ...(row.jobId === null
          ? []
          : [`job AS (${queue.insertJob('execution', { id: row.jobId, group: row.userId, delayMs, isTaken }, { source, place })})`]),
      ];
      return `WITH ${parts.join(', ')} SELECT room, EXISTS (SELECT 1 FROM stored) AS stored FROM room`;
    });
  };

  type Keep = ((tx: Db) => Promise<void>) | null;
  const storeOne = async (made: NewExecution, keep: Keep, job: JobOfNew): Promise<Stored> => {
    const statement = storing(made, job);
    const bytes = bytesOf(statement) + (made.also ? await bytesOfFork(run, made.also.parent.id) : 0);
    return storage.storing({ userId: made.row.userId, bytes }, async () => {
      if (keep === null) return store(run, statement);
      return db.transaction(async (tx) => {
        const outcome = await store(runIn(tx), statement);
        if (outcome === 'stored') await keep(tx);
        return outcome;
      });
    });
  };
  return (made: NewExecution, keep: Keep, job: JobOfNew = {}) => inTurn(made.steps.length, () => storeOne(made, keep, job));
}

/** Returns the bytes of a statement's texts: what it stores. */
function bytesOf({ values }: Statement): number {
  return values.reduce((sum: number, value) => sum + (typeof value === 'string' ? Buffer.byteLength(value) : 0), 0);
}

/** Returns the bytes that a fork copies from its original beside the results of steps, which are values of its own statement. */
async function bytesOfFork(run: RunStatement, parentId: string): Promise<number> {
  const [row] = await run({
    text: `SELECT (SELECT coalesce(sum(octet_length(content)), 0) FROM execution_files WHERE execution_id = $1)
      + (SELECT coalesce(sum(octet_length(content)), 0) FROM execution_contexts WHERE execution_id = $1)
      + (SELECT coalesce(sum(pg_column_size(asked) + coalesce(octet_length(draft), 0)), 0) FROM questions WHERE execution_id = $1) AS bytes`,
    values: [parentId],
  });
  return Number(row?.bytes ?? 0);
}

export type StoreNew = ReturnType<typeof createStoreNew>;

/** Selects an execution of the user that has ended, and keeps it from being removed. */
function lockEnded({ id, userId }: { id: string; userId: OwnerId }, place: BindValue): string {
  return `SELECT id FROM executions WHERE id = ${place(id)}::uuid AND user_id = ${place(userId)}::uuid
    AND status IN ('completed', 'failed', 'cancelled') FOR KEY SHARE`;
}
