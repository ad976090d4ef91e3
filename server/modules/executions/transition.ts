import { and, asc, eq } from 'drizzle-orm';
import type { Failure } from '../../../contract/errors.ts';
import type { ExecutionEvent } from '../../../contract/execution.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Db } from '../../platform/database/database.ts';
import { type ExecutionRow, progressOf, type StepRow, toStepRun } from './rows.ts';
import { executionEvents, executionSteps, executions } from './tables.ts';

/** One change of one execution: while it lasts nobody else can change it. */
export type Transition = {
  tx: Db;
  now: Date;
  /** The execution as changed so far. */
  row: ExecutionRow;
  /** Its steps in order, as changed so far. */
  steps: () => Promise<StepRow[]>;
  set: (change: Partial<ExecutionRow>) => void;
  setStep: (step: StepRow, change: Partial<StepRow>) => Promise<StepRow>;
  /** Adds an event that shows the execution as changed so far. */
  record: (type: ExecutionEvent['type'], about?: { step?: StepRow; text?: string; error?: Failure }) => void;
};

export type TransitionDeps = { db: Db; bus: Bus; now: () => Date };

/**
 * Changes an execution: rows and events are stored in one transaction under the execution's lock, so that `seq` grows by
 * one and the last event always agrees with the row. Events are published after they are stored, never before.
 * Answers null when there is no such execution (of that owner, where one is named).
 */
export function createTransitions({ db, bus, now }: TransitionDeps) {
  return async function transition<T>(
    which: { id: string; userId?: string },
    work: (change: Transition) => Promise<T>,
  ): Promise<{ value: T; row: ExecutionRow } | null> {
    const done = await db.transaction(async (tx) => {
      const owned = which.userId === undefined ? undefined : eq(executions.userId, which.userId);
      const [locked] = await tx
        .select()
        .from(executions)
        .where(and(eq(executions.id, which.id), owned))
        .for('update');
      if (!locked) return null;
      const { change, finish } = begin(tx, locked, now());
      const value = await work(change);
      return { value, ...(await finish()) };
    });
    if (!done) return null;
    for (const event of done.events) announce(bus, done.row, event);
    return { value: done.value, row: done.row };
  };
}

export type RunTransition = ReturnType<typeof createTransitions>;

function begin(tx: Db, locked: ExecutionRow, now: Date) {
  const changed: Partial<ExecutionRow> = {};
  const events: ExecutionEvent[] = [];
  let steps: StepRow[] | null = null;

  const change: Transition = {
    tx,
    now,
    row: { ...locked },
    async steps() {
      steps ??= await tx
        .select()
        .from(executionSteps)
        .where(eq(executionSteps.executionId, locked.id))
        .orderBy(asc(executionSteps.orderIndex));
      return steps;
    },
    set(values) {
      Object.assign(changed, values);
      Object.assign(change.row, values);
    },
    async setStep(step, values) {
      await tx
        .update(executionSteps)
        .set(values)
        .where(and(eq(executionSteps.executionId, step.executionId), eq(executionSteps.stepId, step.stepId)));
      const after = { ...step, ...values };
      steps = steps?.map((known) => (known.stepId === step.stepId ? after : known)) ?? null;
      return after;
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
      });
    },
  };

  const finish = async () => {
    if (Object.keys(changed).length > 0) {
      change.set({ updatedAt: now });
      await tx.update(executions).set(changed).where(eq(executions.id, locked.id));
    }
    if (events.length > 0) {
      await tx.insert(executionEvents).values(events.map((event) => ({ executionId: locked.id, seq: event.seq, event })));
    }
    return { row: change.row, events };
  };
  return { change, finish };
}

function announce(bus: Bus, row: ExecutionRow, event: ExecutionEvent): void {
  const { userId, projectId, pipelineId, id: executionId } = row;
  bus.publish(userId, { type: 'pipeline_update', status: event.status, projectId, pipelineId, executionId, seq: event.seq, event });
  if (event.type === 'step.completed' && event.step) {
    const { agentId, result } = event.step;
    bus.publish(userId, { type: 'agent_command_result', agentId, result: result ?? '', projectId, executionId });
  }
}
