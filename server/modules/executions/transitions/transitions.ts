import type { ExecutionEvent } from '../../../../contract/executions/execution-event.ts';
import type { ServerMessage } from '../../../../contract/realtime.ts';
import type { Bus } from '../../../platform/bus/bus.ts';
import type { Db } from '../../../platform/database/database.ts';
import { and, asc, eq, TransactionRollbackError } from '../../../platform/database/drizzle.ts';
import { type RunStatement, runIn } from '../../../platform/database/prepared-statements.ts';
import { type BindValue, type Statement, writeStatement } from '../../../platform/database/statement.ts';
import type { OwnerId } from '../../../platform/owner-id.ts';
import { readSteps } from '../store/read-steps.ts';
import { compactSteps, type ExecutionRow } from '../store/rows.ts';
import { executionContexts, executions } from '../store/tables.ts';
import { ExecutionChange, type Snapshot, type Source, type Transition } from './transition.ts';

/** Names an execution: by its id, or by its current job. */
type ExecutionKey = { id: string; userId?: OwnerId } | { jobId: string };

type TransitionDeps = {
  db: Db;
  run: RunStatement;
  bus: Bus;
  /** Called when a change has stored deliveries for receivers of its project. */
  onTold: () => void;
  now: () => Date;
};

/** `found` is undefined when nothing was read, and null when there was no value. */
type TransitionResult<T> = { value: T; row: ExecutionRow; found: unknown };

/**
 * Changes an execution: row, steps and events are stored together or not at all. `seq` increases by one, so the last event always
 * agrees with the row. Events are published after they are stored. Both functions return null for an unknown execution (or another
 * owner's, where an owner is given).
 */
export function createTransitions({ db, run, bus, onTold, now }: TransitionDeps) {
  /**
   * Reads the execution under its lock: for changes by API calls. The lock lets other statements refer to the execution: a call that is reserved
   * meanwhile has locked its budgets, for which the change may wait.
   */
  async function transition<T>(key: ExecutionKey, work: (change: Transition) => Promise<T>): Promise<TransitionResult<T> | null> {
    const done = await db.transaction((tx) => changeUnderLock(tx, key, { work, condition: null, now }));
    return done && publishChange(done);
  }

  /**
   * Changes an execution from the worker's snapshot, in one statement. When the execution has changed meanwhile, or `work`
   * needs the transaction, it reads the execution under its lock and calls `work` a second time.
   */
  async function transitionFromSnapshot<T>(known: Snapshot, work: (change: Transition) => Promise<T>): Promise<TransitionResult<T> | null> {
    return (await changeFromMemory(known, work, null)) ?? transition({ id: known.row.id }, work);
  }

  /**
   * Begins an attempt at the job's execution, from the snapshot if nothing has changed since. If a waiting execution of the same
   * owner has a higher priority, the two swap their jobs first. Returns null if the attempt does not have the job any more (`holdsJob`).
   */
  async function transitionOfJob<T>(
    { jobId, holdsJob }: { jobId: string; holdsJob: (place: BindValue) => string },
    known: Snapshot | null,
    work: (change: Transition) => Promise<T>,
  ): Promise<TransitionResult<T> | null> {
    if (known) {
      const { userId, priority } = known.row;
      const changed = await changeFromMemory(
        known,
        work,
        (place) => `${holdsJob(place)} AND ${isHighestPriority({ jobId, userId, priority }, place)}`,
      );
      if (changed) return changed;
    }
    const done = await db
      .transaction(async (tx) => {
        await runIn(tx)(swapJobWithHighestPriority(jobId));
        return changeUnderLock(tx, { jobId }, { work, condition: holdsJob, now });
      })
      .catch((error: unknown) => {
        if (error instanceof TransactionRollbackError) return null;
        throw error;
      });
    return done && publishChange(done);
  }

  /**
   * Computes the first change of an execution that is not stored yet: the caller stores the rows with its events, then calls `publish`.
   * Returns null where the change writes to another table.
   */
  async function planFirstChange<T>(known: Snapshot, work: (change: Transition) => Promise<T>) {
    const change = new ExecutionChange(known.row, snapshotSource(known), now());
    const value = await work(change);
    const made = await change.planned();
    if (!made) return null;
    const { row, steps, events } = made;
    return { value, row, steps, events, publish: () => void publishChange({ value, found: undefined, row, events, messages: [] }) };
  }

  async function changeFromMemory<T>(
    known: Snapshot,
    work: (change: Transition) => Promise<T>,
    condition: ((place: BindValue) => string) | null,
  ): Promise<TransitionResult<T> | null> {
    const change = new ExecutionChange(known.row, snapshotSource(known), now(), condition);
    try {
      const value = await work(change);
      const finished = change.finish();
      if (!finished.statement) return condition ? null : publishChange({ value, found: undefined, ...finished });
      const [changed] = await run(finished.statement);
      return changed ? publishChange({ value, found: changed.found, told: changed.told, ...finished }) : null;
    } catch (error) {
      if (error instanceof TransactionNeeded) return null;
      throw error;
    }
  }

  function publishChange<T>({ value, found, told, row, events, messages }: Finished & Stored<T>): TransitionResult<T> {
    for (const message of messages) bus.publish(row.userId, message);
    for (const event of events) publishEvent(bus, row, event);
    if (Number(told ?? 0) > 0) onTold();
    return { value, row, found };
  }

  return { transition, transitionFromSnapshot, transitionOfJob, planFirstChange };
}

export type RunTransition = ReturnType<typeof createTransitions>['transition'];
export type TransitionOfJob = ReturnType<typeof createTransitions>['transitionOfJob'];
export type TransitionFromSnapshot = ReturnType<typeof createTransitions>['transitionFromSnapshot'];
export type PlanFirstChange = ReturnType<typeof createTransitions>['planFirstChange'];

type Finished = { row: ExecutionRow; events: ExecutionEvent[]; messages: ServerMessage[] };

/** What a stored change has returned; see `changeStatement`. */
type Stored<T> = { value: T; found: unknown; told?: unknown };

/** Changes an execution in a transaction that has locked its row. Null for an unknown one. */
async function changeUnderLock<T>(
  tx: Db,
  key: ExecutionKey,
  { work, condition, now }: { work: (change: Transition) => Promise<T>; condition: ((place: BindValue) => string) | null; now: () => Date },
) {
  const [locked] = await tx.select().from(executions).where(conditionOf(key)).for('no key update');
  if (!locked) return null;
  const change = new ExecutionChange(locked, databaseSource(tx, locked), now(), condition);
  const value = await work(change);
  const finished = change.finish();
  const rows = finished.statement ? await runIn(tx)(finished.statement) : [];
  if (condition && finished.statement && rows.length === 0) throw new TransactionRollbackError();
  return { value, found: rows[0]?.found, told: rows[0]?.told, ...finished };
}

class TransactionNeeded extends Error {}

function databaseSource(tx: Db, locked: ExecutionRow): Source {
  return {
    tx: () => tx,
    steps: async () => compactSteps(await readSteps(tx, locked)),
    contexts: async () => {
      const here = eq(executionContexts.executionId, locked.id);
      const rows = await tx.select().from(executionContexts).where(here).orderBy(asc(executionContexts.position));
      return rows.map(({ content }) => content);
    },
  };
}

function snapshotSource({ steps, contexts }: Snapshot): Source {
  return {
    tx: () => {
      throw new TransactionNeeded();
    },
    steps: async () => steps,
    contexts: async () => contexts,
  };
}

function conditionOf(key: ExecutionKey) {
  if ('jobId' in key) return eq(executions.jobId, key.jobId);
  return and(eq(executions.id, key.id), key.userId === undefined ? undefined : eq(executions.userId, key.userId));
}

function publishEvent(bus: Bus, row: ExecutionRow, event: ExecutionEvent): void {
  const { userId, projectId, pipelineId, id: executionId } = row;
  bus.publish(userId, { type: 'pipeline_update', status: event.status, projectId, pipelineId, executionId, seq: event.seq, event });
  if (event.type === 'step.completed' && event.step) {
    const { agentId, result } = event.step;
    bus.publish(userId, { type: 'agent_command_result', agentId, result: result ?? '', projectId, executionId });
  }
}

/** A condition: the job's execution has begun, or no waiting execution of its owner has a higher priority. */
function isHighestPriority({ jobId, userId, priority }: { jobId: string; userId: OwnerId; priority: number }, place: BindValue): string {
  return `job_id = ${place(jobId)}::uuid AND (status <> 'pending' OR NOT EXISTS (SELECT 1 FROM executions AS other
    WHERE other.user_id = ${place(userId)}::uuid AND other.status = 'pending' AND NOT other.not_started AND other.priority > ${place(priority)}))`;
}

/** Swaps the jobs of the job's execution and of its owner's waiting execution with the highest priority. */
function swapJobWithHighestPriority(jobId: string): Statement {
  return writeStatement(
    (place) => `WITH own AS (SELECT id, job_id, user_id, priority FROM executions
        WHERE job_id = ${place(jobId)}::uuid AND status = 'pending' AND NOT not_started FOR UPDATE),
      urgent AS (SELECT other.id, other.job_id FROM own JOIN executions AS other ON other.user_id = own.user_id
        WHERE other.status = 'pending' AND NOT other.not_started AND other.job_id IS NOT NULL AND other.priority > own.priority
        ORDER BY other.priority DESC, other.created_at LIMIT 1 FOR UPDATE OF other SKIP LOCKED)
      UPDATE executions SET job_id = CASE WHEN executions.id = own.id THEN urgent.job_id ELSE own.job_id END
      FROM own, urgent WHERE executions.id IN (own.id, urgent.id)`,
  );
}
