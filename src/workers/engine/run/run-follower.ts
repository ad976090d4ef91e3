import type { Execution, ExecutionEvent } from '../../../../contract/execution.ts';
import type { ServerMessage } from '../../../../contract/realtime.ts';
import { applyTextPiece } from '../../../../contract/streamed-text.ts';
import { consoleLines } from '../../../model/console/console-lines.ts';
import { applyExecutionEvent, loseExecution, showExecution } from '../../../model/run/apply-execution-event.ts';
import { type ConsoleMessage, emptyRun, isRunActive, isUnderWay, type LiveEvent } from '../../../model/workspace-state.ts';
import { type Backend, type BackendFault, isMissing } from '../backends/port.ts';
import type { Environment } from '../environment.ts';
import type { Console } from '../store/console.ts';
import type { LiveLog } from '../store/live-log.ts';
import { batchMs, type Store } from '../store/store.ts';

/** How often a run under way is asked for: without a socket, and with one that may have gone deaf. W4.10 W9.03 */
export const pollMs = 2_000;
export const pollWithSocketMs = 5_000;
/** How long nothing may be heard of a run before that is said. It is followed all the same. W9.03 */
export const quietMs = 120_000;
/** The same of a single step that somebody asked for and waits for; it is asked after every 2 s, socket or not. W9.03 */
export const singleStepQuietMs = 60_000;
const logPage = 1_000;
/** Polls in a row that bring nothing before the execution itself is looked at, in case its log lacks the end. */
const quietPolls = 15;
/** Polls that bring what an open socket did not, one after another, before the socket is taken for dead. */
const deafPolls = 3;
/** Executions looked through for the one to show. */
const lookBack = 20;

type FollowerOptions = {
  store: Store;
  backend: Backend;
  console: Console;
  live: LiveLog;
  environment: Pick<Environment, 'later'>;
  projectId: string;
  socketConnected: () => boolean;
  /** The socket says that it is open and brings nothing. */
  onDeaf: () => void;
  /** A part of a streamed text was missed. */
  onTextGap: () => void;
  /** The execution came to its end, however it ended. */
  onEnded: (executionId: string) => void;
};

/**
 * Shows one execution and follows it to its end, by the events that the socket brings and by asking for the log. Both say the same,
 * and each event counts once. Following never ends a run, and ends with it.
 */
export class RunFollower {
  readonly #options: FollowerOptions;
  #executionId: string | null = null;
  /** The newest event in the console. */
  #seq = 0;
  #hasDetails = false;
  /** The project's newest execution is still to be found. */
  #looking = false;
  #quiet = 0;
  /** Somebody waits for the step that they asked for. */
  #singleStep = false;
  #unheard = 0;
  #cancelTimer: (() => void) | null = null;
  #cancelQuiet: (() => void) | null = null;
  #polling: Promise<void> | null = null;
  /** Something was heard of while a poll was under way that may not know of it. */
  #again = false;
  /** Events that the socket brought within a frame of the last ones: they are taken together. */
  #burst: ExecutionEvent[] = [];
  #endBurst: (() => void) | null = null;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  get projectId(): string {
    return this.#options.projectId;
  }

  /** For the socket: what is known of the execution that is followed. */
  since(): Record<string, number> {
    return this.#executionId ? { [this.#executionId]: this.#seq } : {};
  }

  /** Shows the project's newest execution under way, else its newest one, else none; asks until the server says. */
  showNewest(): Promise<void> {
    this.#looking = true;
    return this.pollNow();
  }

  /** Shows an execution and follows it while it goes on. */
  follow(execution: Execution): Promise<void> {
    if (this.#executionId !== execution.id) this.#turnTo(execution);
    return this.pollNow();
  }

  /** One step of the run that is followed was asked for by hand. */
  awaitStep(): void {
    // A quick one may have ended before the answer to the question for it.
    if (this.#options.store.state.run.phase === 'paused') return;
    this.#singleStep = true;
    this.#awaitNews();
  }

  /** Follows nothing any more, and leaves what is shown. */
  forget(): void {
    this.#rest();
    this.#cancelQuiet?.();
    this.#burst = [];
    this.#looking = false;
    this.#executionId = null;
  }

  /** Takes the run off the canvas. */
  clear(): void {
    this.forget();
    this.#options.store.update((draft) => {
      draft.run = emptyRun;
    });
  }

  /** What the socket brought. */
  receive(message: ServerMessage): void {
    if (message.type === 'agent_thought') this.#showThought(message);
    if (message.type !== 'pipeline_update' || message.projectId !== this.#options.projectId) return;
    if (message.executionId !== this.#executionId) {
      if (!isRunActive(this.#options.store.state.run) && isUnderWay(message)) void this.#discover(message.executionId);
      return;
    }
    this.#unheard = 0;
    const newest = this.#burst.at(-1)?.seq ?? this.#seq;
    if (message.seq === newest + 1 && this.#hasDetails) this.#hear(message.event);
    else if (message.seq > newest) void this.pollNow();
  }

  /** Asks for what is new. One question at a time; asked while one is under way, it asks once more after it. */
  pollNow(): Promise<void> {
    this.#rest();
    if (this.#polling) this.#again = true;
    else
      this.#polling = this.#pollInTurn().finally(() => {
        this.#polling = null;
        const { run } = this.#options.store.state;
        const behind = !this.#hasDetails || this.#seq < (run.execution?.lastSeq ?? 0);
        if (this.#looking || (this.#executionId && (isRunActive(run) || behind))) this.#schedule();
      });
    return this.#polling;
  }

  /** The first event after a quiet time is taken at once, those that follow a frame later in one change. */
  #hear(event: ExecutionEvent): void {
    this.#burst.push(event);
    if (this.#endBurst) return;
    // Set before the first one is shown, and so before the store's own frame begins: that frame has all of the burst.
    this.#endBurst = this.#options.environment.later(batchMs, () => this.#takeBurst());
    this.#takeHeard();
  }

  #takeBurst(): void {
    this.#endBurst?.();
    this.#endBurst = null;
    this.#takeHeard();
  }

  #takeHeard(): void {
    const events = this.#burst;
    this.#burst = [];
    if (events.length > 0) this.#take(events, 'socket');
  }

  async #pollInTurn(): Promise<void> {
    do {
      this.#again = false;
      await this.#poll();
    } while (this.#again);
  }

  #turnTo(execution: Execution): void {
    this.#rest();
    this.#burst = [];
    this.#looking = false;
    this.#executionId = execution.id;
    this.#seq = 0;
    this.#quiet = 0;
    this.#singleStep = false;
    this.#hasDetails = false;
    this.#awaitNews();
    this.#options.store.update(({ run }) => {
      showExecution(run, { ...execution, steps: [] });
      // Its events are read from the first on, which brings the run up to now.
      if (run.execution) run.execution.lastSeq = 0;
    });
  }

  async #look(): Promise<void> {
    const { backend, projectId } = this.#options;
    const listed = await backend.listExecutions(projectId, lookBack);
    if (!this.#looking || !listed.ok) return;
    this.#looking = false;
    // One that somebody has made and not started is no run yet.
    const started = listed.value.filter(({ held }) => !held);
    const newest = started.find(isUnderWay) ?? started[0];
    if (newest) this.#turnTo(newest);
  }

  /** A run that was started somewhere else. */
  async #discover(executionId: string): Promise<void> {
    const details = await this.#options.backend.readExecution(executionId);
    if (details.ok && !isRunActive(this.#options.store.state.run)) await this.follow(details.value);
  }

  async #poll(): Promise<void> {
    const { backend, store, onEnded } = this.#options;
    if (!store.state.connection.authenticated) return;
    this.#takeBurst();
    if (this.#looking) await this.#look();
    const executionId = this.#executionId;
    if (!executionId) return;
    if (!this.#hasDetails) {
      const details = await backend.readExecution(executionId);
      if (executionId !== this.#executionId) return;
      if (!details.ok) return this.#missed(details.fault);
      this.#hasDetails = true;
      const wasActive = isRunActive(store.state.run);
      store.update(({ run }) => {
        // The socket may have told of more meanwhile.
        if (details.value.lastSeq >= (run.execution?.lastSeq ?? 0)) showExecution(run, details.value);
      });
      // Where the log tells the end, that is where it counts.
      if (wasActive && !isRunActive(store.state.run) && this.#seq >= details.value.lastSeq) onEnded(executionId);
    }
    for (let full = true; full; ) {
      const events = await backend.readLogs(executionId, this.#seq, logPage);
      if (executionId !== this.#executionId) return;
      if (!events.ok) return this.#missed(events.fault);
      const before = this.#seq;
      this.#take(events.value, 'poll');
      this.#quiet = this.#seq > before ? 0 : this.#quiet + 1;
      if (this.#seq > before) this.#missedBySocket();
      full = events.value.length === logPage && this.#seq > before;
    }
    if (this.#quiet < quietPolls) return;
    this.#quiet = 0;
    this.#hasDetails = false;
  }

  #missedBySocket(): void {
    const { socketConnected, onDeaf } = this.#options;
    this.#unheard = socketConnected() ? this.#unheard + 1 : 0;
    if (this.#unheard < deafPolls) return;
    this.#unheard = 0;
    onDeaf();
  }

  /** An execution that is not there any more is not waited for; anything else is asked for again. */
  #missed(fault: BackendFault): void {
    if (!isMissing(fault)) return;
    this.#executionId = null;
    this.#options.store.update(({ run }) => loseExecution(run, fault.problem));
  }

  #take(events: readonly ExecutionEvent[], via: LiveEvent['via']): void {
    const { store, console, live, onEnded } = this.#options;
    const fresh = events.filter((event) => event.executionId === this.#executionId && event.seq > this.#seq);
    const last = fresh.at(-1);
    if (!last) return;
    this.#seq = last.seq;
    const lines: ConsoleMessage[] = [];
    // One recipe for all of them: each has its price.
    store.update((draft) => {
      const { run } = draft;
      for (const event of fresh) {
        applyExecutionEvent(run, event);
        lines.push(...consoleLines(event, run));
      }
      console.addTo(draft, lines);
      live.addTo(draft, fresh, via);
    });
    if (store.state.run.phase === 'paused') this.#singleStep = false;
    this.#awaitNews();
    if (isRunActive(store.state.run)) return;
    this.#rest();
    onEnded(last.executionId);
  }

  /** Says once that a run has been silent for long; a run that is paused may be. */
  #awaitNews(): void {
    const { environment, store, console } = this.#options;
    this.#cancelQuiet?.();
    this.#cancelQuiet = environment.later(this.#singleStep ? singleStepQuietMs : quietMs, () => {
      const { phase } = store.state.run;
      if (this.#executionId && phase !== 'paused' && phase !== 'stopped') console.says({ code: 'run.late' }, 'warning');
    });
  }

  #showThought({ executionId, stepId, content, position = 0, partial }: Extract<ServerMessage, { type: 'agent_thought' }>): void {
    const { store } = this.#options;
    if (!partial || executionId !== this.#executionId || !stepId) return;
    if (!store.state.run.steps.some((step) => step.stepId === stepId && step.status === 'running')) return;
    this.#awaitNews();
    const text = applyTextPiece(store.state.run.partial[stepId] ?? '', { position, content });
    if (text === null) {
      this.#options.onTextGap();
      return;
    }
    store.update(({ run }) => {
      run.partial[stepId] = text;
    });
  }

  #schedule(): void {
    this.#rest();
    this.#cancelTimer = this.#options.environment.later(
      this.#options.socketConnected() && !this.#singleStep ? pollWithSocketMs : pollMs,
      () => void this.pollNow(),
    );
  }

  #rest(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }
}
