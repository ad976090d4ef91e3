import type { Failure } from '../../../../contract/errors.ts';
import type { StepRun, StepWait } from '../../../../contract/executions/execution.ts';
import type { ChangedStep, ExecutionEvent } from '../../../../contract/executions/execution-event.ts';
import type { Question, RunHolds } from '../../../../contract/executions/question.ts';
import type { ToolCall } from '../../../../contract/executions/tool-call.ts';
import type { ServerMessage } from '../../../../contract/realtime.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { BindValue, SqlFragment } from '../../../platform/database/statement.ts';
import { insertEventSql, type ToldEvent } from '../../hooks/index.ts';
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
  /** Stores an event for the receivers of its project in the same statement. */
  tell: (event: ToldEvent) => void;
  /** Reads a value in the same statement: `found` of the change. */
  read: (query: (place: BindValue) => string) => void;
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

/** A change of an execution in the making. `finish` returns the statement that stores it, with what is to be published. */
export class ExecutionChange implements Transition {
  readonly tx: () => Db;
  readonly contexts: () => Promise<string[]>;
  readonly now: Date;
  readonly row: ExecutionRow;
  readonly #before: ExecutionRow;
  readonly #source: Source;
  readonly #condition: ((place: BindValue) => string) | null;
  readonly #changed: Partial<ExecutionRow> = {};
  readonly #changedSteps = new Map<string, Partial<StepRow>>();
  readonly #events: ExecutionEvent[] = [];
  readonly #others: SqlFragment[] = [];
  readonly #deliveries: SqlFragment[] = [];
  readonly #shared: { stepIds: Set<string>; change: Partial<StepRow> }[] = [];
  readonly #added: StepRow[] = [];
  readonly #messages: ServerMessage[] = [];
  #reading: ((place: BindValue) => string) | null = null;
  #steps: Promise<StepRow[]> | null = null;

  constructor(before: ExecutionRow, source: Source, now: Date, condition: ((place: BindValue) => string) | null = null) {
    this.tx = source.tx;
    this.contexts = source.contexts;
    this.now = now;
    this.row = { ...before };
    this.#before = before;
    this.#source = source;
    this.#condition = condition;
  }

  steps(): Promise<StepRow[]> {
    this.#steps ??= this.#source.steps();
    return this.#steps;
  }

  set(values: Partial<ExecutionRow>): void {
    Object.assign(this.#changed, values);
    Object.assign(this.row, values);
  }

  async setStep(step: StepRow, values: Partial<StepRow>): Promise<StepRow> {
    if (!this.#changeAgain(step.stepId, values)) this.#changedSteps.set(step.stepId, values);
    const after = { ...step, ...values };
    const known = await this.steps();
    this.#steps = Promise.resolve(known.map((other) => (other.stepId === step.stepId ? after : other)));
    return after;
  }

  async setSteps(stepIds: readonly string[], values: Partial<StepRow>): Promise<void> {
    if (stepIds.length === 0) return;
    const ids = new Set(stepIds);
    this.#shared.push({ stepIds: new Set(stepIds.filter((id) => !this.#changeAgain(id, values))), change: values });
    this.#steps = Promise.resolve((await this.steps()).map((step) => (ids.has(step.stepId) ? { ...step, ...values } : step)));
  }

  async addSteps(rows: readonly StepRow[]): Promise<void> {
    this.#added.push(...rows);
    this.#steps = Promise.resolve([...(await this.steps()), ...rows].sort(byPlace));
  }

  record(type: ExecutionEvent['type'], about: AboutEvent = {}): void {
    this.set({ lastSeq: this.row.lastSeq + 1 });
    this.#events.push(eventOf(this.row, this.now, type, about));
  }

  addWrite(write: SqlFragment): void {
    this.#others.push(write);
  }

  tell(event: ToldEvent): void {
    this.#deliveries.push(insertEventSql(event));
  }

  read(query: (place: BindValue) => string): void {
    this.#reading = query;
  }

  notifyOwner(message: ServerMessage): void {
    this.#messages.push(message);
  }

  finish() {
    const shared = this.#shared.flatMap(({ stepIds, change }) => (stepIds.size > 0 ? [{ stepIds: [...stepIds], change }] : []));
    const [row, steps, added, events, others] = [this.#changed, this.#changedSteps, this.#added, this.#events, this.#others];
    const deliveries = this.#deliveries;
    const writes = shared.length + added.length + others.length + deliveries.length;
    const nothing = Object.keys(row).length === 0 && steps.size === 0 && writes === 0;
    if (!nothing) this.set({ updatedAt: this.now });
    const [before, condition, reading] = [this.#before, this.#condition, this.#reading];
    const statement = nothing
      ? null
      : changeStatement({ before, condition, row, steps, shared, added, events, others, deliveries, reading });
    return { statement, row: this.row, events, messages: this.#messages };
  }

  /** The rows and events of an execution that is not stored yet; null where the change writes more than these. */
  async planned() {
    if (this.#others.length + this.#deliveries.length + this.#added.length + this.#messages.length > 0) return null;
    this.set({ updatedAt: this.now });
    return { row: this.row, steps: await this.steps(), events: this.#events };
  }

  /**
   * Changes a step that this transition adds or has changed before: one statement writes each row once, and cannot update a row that it
   * inserts. Returns false for other steps.
   */
  #changeAgain(stepId: string, values: Partial<StepRow>): boolean {
    const at = this.#added.findIndex((row) => row.stepId === stepId);
    if (at >= 0) {
      this.#added[at] = { ...(this.#added[at] as StepRow), ...values };
      return true;
    }
    for (const { stepIds, change: earlier } of this.#shared)
      if (stepIds.delete(stepId)) this.#changedSteps.set(stepId, { ...this.#changedSteps.get(stepId), ...earlier });
    const known = this.#changedSteps.get(stepId);
    if (known) this.#changedSteps.set(stepId, { ...known, ...values });
    return known !== undefined;
  }
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
