import type { Failure } from '../../../../contract/errors.ts';
import type { StepRun, StepWait } from '../../../../contract/executions/execution.ts';
import type { ChangedStep, ExecutionEvent } from '../../../../contract/executions/execution-event.ts';
import type { Question, RunHolds } from '../../../../contract/executions/question.ts';
import type { ToolCall } from '../../../../contract/executions/tool-call.ts';
import type { ServerMessage } from '../../../../contract/realtime.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { Place, SqlFragment } from '../../../platform/database/statement.ts';
import { changeStatement } from '../store/change-statement.ts';
import { byPlace, type ExecutionRow, progressOf, type StepRow, toStepRun } from '../store/rows.ts';

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
  /** The wait of the step. */
  wait?: StepWait;
};

/** The source of the values that a change reads beside the row. */
export type Source = { tx: () => Db; steps: () => Promise<StepRow[]>; contexts: () => Promise<string[]> };

/** Begins a change of an execution. `finish` returns the statement that stores it, with what is to be published. */
export function beginTransition(before: ExecutionRow, source: Source, now: Date, condition: ((place: Place) => string) | null = null) {
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
      events.push(eventOf(change.row, now, type, about));
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
  /** The rows and events of an execution that is not stored yet; null where the change writes more than these. */
  const planned = async () => {
    if (others.length + added.length + messages.length > 0) return null;
    change.set({ updatedAt: now });
    return { row: change.row, steps: await change.steps(), events };
  };
  return { change, finish, planned };
}

function eventOf(row: ExecutionRow, now: Date, type: ExecutionEvent['type'], about: AboutEvent): ExecutionEvent {
  return {
    executionId: row.id,
    seq: row.lastSeq,
    at: now.toISOString(),
    type,
    status: row.status,
    pauseRequested: row.pauseRequested,
    progress: progressOf(row),
    step: about.step ? { ...stepOfEvent(type, about.step), ...(about.wait && { wait: about.wait }) } : null,
    text: about.text ?? null,
    error: about.error ?? null,
    ...(about.changedSteps && { changedSteps: about.changedSteps }),
    ...(about.question && { question: about.question }),
    ...(about.call && { call: about.call }),
    ...(about.holds && { holds: about.holds }),
    ...(type === 'execution.completed' && row.limited && { limited: true as const }),
  };
}

/** A step of many calls has an event for each: what it has read stands in the event of its end. */
function stepOfEvent(type: ExecutionEvent['type'], row: StepRow): StepRun {
  return toStepRun(type === 'tool.called' || type === 'tool.ended' ? { ...row, readFiles: null } : row);
}
