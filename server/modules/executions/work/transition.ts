import { and, asc, eq } from 'drizzle-orm';
import type { Failure } from '../../../../contract/errors.ts';
import type { ChangedStep, ExecutionEvent } from '../../../../contract/executions/execution.ts';
import type { Question, RunHolds } from '../../../../contract/executions/question.ts';
import type { ToolCall } from '../../../../contract/executions/tool-call.ts';
import type { ServerMessage } from '../../../../contract/realtime.ts';
import type { Bus } from '../../../platform/bus/bus.ts';
import type { Db } from '../../../platform/database/database.ts';
import { type RunStatement, runIn } from '../../../platform/database/prepared-statements.ts';
import type { Place, SqlFragment, Statement } from '../../../platform/database/statement.ts';
import { changeStatement } from '../store/change-statement.ts';
import { isHighestPriority, swapJobWithHighestPriority } from '../store/job-priority.ts';
import { byPlace, type ExecutionRow, inPlace, progressOf, type StepRow, toStepRun } from '../store/rows.ts';
import { executionContexts, executionSteps, executions } from '../store/tables.ts';

/** An execution as last read or changed, for its worker. */
export type Snapshot = { row: ExecutionRow; steps: StepRow[]; contexts: string[] };

/** One change of one execution. No other change is possible until it ends. */
export type Transition = {
  /** The transaction of the change, for further writes. */
  tx: () => Db;
  now: Date;
  /** The execution with the changes so far. */
  row: ExecutionRow;
  /** Its steps in order, with the changes so far. */
  steps: () => Promise<StepRow[]>;
  /** The texts that users added during the run, in order. */
  contexts: () => Promise<string[]>;
  set: (change: Partial<ExecutionRow>) => void;
  setStep: (step: StepRow, change: Partial<StepRow>) => Promise<StepRow>;
  /** Changes several steps in the same way. The same transition may not change them otherwise. */
  setSteps: (stepIds: readonly string[], change: Partial<StepRow>) => Promise<void>;
  /** Adds runs of steps, for another round or other items. The steps stay in order. */
  addSteps: (rows: readonly StepRow[]) => Promise<void>;
  /** Adds an event with the execution as changed so far. */
  record: (type: ExecutionEvent['type'], about?: AboutEvent) => void;
  /** Writes to another table in the same statement; see `Changes.others`. */
  addWrite: (write: SqlFragment) => void;
  /** Reads a value in the same statement: `found` of the change. */
  read: (query: (place: Place) => string) => void;
  /** Sends the owner a message once the change is stored, before its events. */
  notifyOwner: (message: ServerMessage) => void;
};

type AboutEvent = {
  step?: StepRow;
  text?: string;
  error?: Failure;
  changedSteps?: ChangedStep[];
  question?: Question;
  call?: ToolCall;
  holds?: RunHolds;
};

/** Names an execution: by its id, or by its current job. */
export type ExecutionKey = { id: string; userId?: string } | { jobId: string };

export type TransitionDeps = { db: Db; run: RunStatement; bus: Bus; now: () => Date };

/** `found` is undefined when nothing was read, and null when there was no value. */
export type TransitionResult<T> = { value: T; row: ExecutionRow; found: unknown };

/**
 * Changes an execution: row, steps and events are stored together or not at all. `seq` increases by one, so the last event always
 * agrees with the row. Events are published after they are stored. Both functions return null for an unknown execution (or another
 * owner's, where an owner is given).
 */
export function createTransitions({ db, run, bus, now }: TransitionDeps) {
  /** Reads the execution under its lock, after the statement `first` if any: for changes by API calls. */
  async function transition<T>(
    key: ExecutionKey,
    work: (change: Transition) => Promise<T>,
    first: Statement | null = null,
  ): Promise<TransitionResult<T> | null> {
    const done = await db.transaction(async (tx) => {
      if (first) await runIn(tx)(first);
      const [locked] = await tx.select().from(executions).where(conditionOf(key)).for('update');
      if (!locked) return null;
      const { change, finish } = beginTransition(locked, databaseSource(tx, locked.id), now());
      const value = await work(change);
      const finished = finish();
      const rows = finished.statement ? await runIn(tx)(finished.statement) : [];
      return { value, found: rows[0]?.found, ...finished };
    });
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
   * owner has a higher priority, the two swap their jobs first.
   */
  async function transitionOfJob<T>(
    jobId: string,
    known: Snapshot | null,
    work: (change: Transition) => Promise<T>,
  ): Promise<TransitionResult<T> | null> {
    if (known) {
      const { userId, priority } = known.row;
      const changed = await changeFromMemory(known, work, (place) => isHighestPriority({ jobId, userId, priority }, place));
      if (changed) return changed;
    }
    return transition({ jobId }, work, swapJobWithHighestPriority(jobId));
  }

  /**
   * Computes the first change of an execution that is not stored yet: the caller stores the rows with its events, then calls `publish`.
   * The change may write to no other table.
   */
  async function planFirstChange<T>(known: Snapshot, work: (change: Transition) => Promise<T>) {
    const { change, planned } = beginTransition(known.row, snapshotSource(known), now());
    const value = await work(change);
    const { row, steps, events } = await planned();
    return { value, row, steps, events, publish: () => void publishChange({ value, found: undefined, row, events, messages: [] }) };
  }

  async function changeFromMemory<T>(
    known: Snapshot,
    work: (change: Transition) => Promise<T>,
    condition: ((place: Place) => string) | null,
  ): Promise<TransitionResult<T> | null> {
    const { change, finish } = beginTransition(known.row, snapshotSource(known), now(), condition);
    try {
      const value = await work(change);
      const finished = finish();
      if (!finished.statement) return condition ? null : publishChange({ value, found: undefined, ...finished });
      const [changed] = await run(finished.statement);
      return changed ? publishChange({ value, found: changed.found, ...finished }) : null;
    } catch (error) {
      if (error instanceof TransactionNeeded) return null;
      throw error;
    }
  }

  function publishChange<T>({ value, found, row, events, messages }: Finished & { value: T; found: unknown }): TransitionResult<T> {
    for (const message of messages) bus.publish(row.userId, message);
    for (const event of events) publishEvent(bus, row, event);
    return { value, row, found };
  }

  return { transition, transitionFromSnapshot, transitionOfJob, planFirstChange };
}

export type RunTransition = ReturnType<typeof createTransitions>['transition'];
export type TransitionOfJob = ReturnType<typeof createTransitions>['transitionOfJob'];
export type TransitionFromSnapshot = ReturnType<typeof createTransitions>['transitionFromSnapshot'];
export type PlanFirstChange = ReturnType<typeof createTransitions>['planFirstChange'];

type Finished = { row: ExecutionRow; events: ExecutionEvent[]; messages: ServerMessage[] };

/** The source of the values that a change reads beside the row. */
type Source = { tx: () => Db; steps: () => Promise<StepRow[]>; contexts: () => Promise<string[]> };

class TransactionNeeded extends Error {}

function databaseSource(tx: Db, id: string): Source {
  return {
    tx: () => tx,
    // A promise: a query of the builder runs once for each `await`.
    steps: async () =>
      tx
        .select()
        .from(executionSteps)
        .where(eq(executionSteps.executionId, id))
        .orderBy(...inPlace),
    contexts: async () => {
      const here = eq(executionContexts.executionId, id);
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

function beginTransition(before: ExecutionRow, source: Source, now: Date, condition: ((place: Place) => string) | null = null) {
  const changed: Partial<ExecutionRow> = {};
  const changedSteps = new Map<string, Partial<StepRow>>();
  const events: ExecutionEvent[] = [];
  const others: SqlFragment[] = [];
  const shared: { stepIds: Set<string>; change: Partial<StepRow> }[] = [];
  const added: StepRow[] = [];
  /**
   * Changes a step that this transition adds or has changed before: one statement writes each row once, and cannot update a row that it
   * inserts. Returns false for other steps.
   */
  const changeAgain = (stepId: string, values: Partial<StepRow>): boolean => {
    const at = added.findIndex((row) => row.stepId === stepId);
    if (at >= 0) {
      added[at] = { ...(added[at] as StepRow), ...values };
      return true;
    }
    for (const { stepIds, change: earlier } of shared)
      if (stepIds.delete(stepId)) changedSteps.set(stepId, { ...changedSteps.get(stepId), ...earlier });
    const known = changedSteps.get(stepId);
    if (known) changedSteps.set(stepId, { ...known, ...values });
    return known !== undefined;
  };
  let reading: ((place: Place) => string) | null = null;
  const messages: ServerMessage[] = [];
  let steps: Promise<StepRow[]> | null = null;

  const change: Transition = {
    tx: source.tx,
    now,
    row: { ...before },
    steps: () => {
      steps ??= source.steps();
      return steps;
    },
    contexts: source.contexts,
    set(values) {
      Object.assign(changed, values);
      Object.assign(change.row, values);
    },
    async setStep(step, values) {
      if (!changeAgain(step.stepId, values)) changedSteps.set(step.stepId, values);
      const after = { ...step, ...values };
      const known = await change.steps();
      steps = Promise.resolve(known.map((other) => (other.stepId === step.stepId ? after : other)));
      return after;
    },
    async setSteps(stepIds, values) {
      if (stepIds.length === 0) return;
      const ids = new Set(stepIds);
      shared.push({ stepIds: new Set(stepIds.filter((id) => !changeAgain(id, values))), change: values });
      steps = Promise.resolve((await change.steps()).map((step) => (ids.has(step.stepId) ? { ...step, ...values } : step)));
    },
    async addSteps(rows) {
      added.push(...rows);
      steps = Promise.resolve([...(await change.steps()), ...rows].sort(byPlace));
    },
    record(type, about = {}) {
      change.set({ lastSeq: change.row.lastSeq + 1 });
      const { row } = change;
      events.push({
        executionId: row.id,
        seq: row.lastSeq,
        at: now.toISOString(),
        type,
        status: row.status,
        pauseRequested: row.pauseRequested,
        progress: progressOf(row),
        step: about.step ? toStepRun(about.step) : null,
        text: about.text ?? null,
        error: about.error ?? null,
        ...(about.changedSteps && { changedSteps: about.changedSteps }),
        ...(about.question && { question: about.question }),
        ...(about.call && { call: about.call }),
        ...(about.holds && { holds: about.holds }),
        ...(type === 'execution.completed' && row.limited && { limited: true as const }),
      });
    },
    addWrite: (write) => others.push(write),
    read: (query) => {
      reading = query;
    },
    notifyOwner: (message) => messages.push(message),
  };

  const finish = () => {
    const sharedRows = shared.flatMap(({ stepIds, change: values }) =>
      stepIds.size > 0 ? [{ stepIds: [...stepIds], change: values }] : [],
    );
    const nothing = Object.keys(changed).length === 0 && changedSteps.size === 0 && sharedRows.length + added.length + others.length === 0;
    if (!nothing) change.set({ updatedAt: now });
    const statement = nothing
      ? null
      : changeStatement({ before, condition, row: changed, steps: changedSteps, shared: sharedRows, added, events, others, reading });
    return { statement, row: change.row, events, messages };
  };
  const planned = async () => {
    if (others.length + added.length + messages.length > 0) throw new Error('A first change writes the execution and its steps only.');
    change.set({ updatedAt: now });
    return { row: change.row, steps: await change.steps(), events };
  };
  return { change, finish, planned };
}

function publishEvent(bus: Bus, row: ExecutionRow, event: ExecutionEvent): void {
  const { userId, projectId, pipelineId, id: executionId } = row;
  bus.publish(userId, { type: 'pipeline_update', status: event.status, projectId, pipelineId, executionId, seq: event.seq, event });
  if (event.type === 'step.completed' && event.step) {
    const { agentId, result } = event.step;
    bus.publish(userId, { type: 'agent_command_result', agentId, result: result ?? '', projectId, executionId });
  }
}
