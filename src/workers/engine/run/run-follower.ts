import { singleFlight } from '../../../../async/single-flight.ts';
import { type Throttled, throttle } from '../../../../async/throttle.ts';
import type { Execution } from '../../../../contract/executions/execution.ts';
import type { ExecutionEvent } from '../../../../contract/executions/execution-event.ts';
import type { Pipeline } from '../../../../contract/executions/pipeline.ts';
import type { ServerMessage } from '../../../../contract/realtime.ts';
import { consoleLines } from '../../../model/console/console-lines.ts';
import { applyExecutionEvent, markExecutionRemoved, showExecution } from '../../../model/run/apply-execution-event.ts';
import { type ConsoleMessage, emptyRun, isRunActive, isUnderWay, type LiveEvent } from '../../../model/workspace-state.ts';
import { type BackendError, isMissing } from '../backends/port.ts';
import type { ConnectionModule } from '../connection/connection-module.ts';
import type { EngineContext } from '../engine-context.ts';
import type { LiveLog } from '../store/live-log.ts';
import { batchMs } from '../store/store.ts';
import { RunLinks } from './run-links.ts';
import { type StreamedMessage, showStreamedText } from './show-streamed-text.ts';

/** The poll interval of an active run (ms): without a socket, and with one, which may be dead. W4.10 W9.03 */
export const pollMs = 2_000;
export const pollWithSocketMs = 5_000;
/** The time without an event of a run after which the console reports it (ms). The run is still followed. W9.03 */
export const quietMs = 120_000;
/** The same for a single step; it is polled every 2 s, with or without a socket. W9.03 */
export const singleStepQuietMs = 60_000;
const logPage = 1_000;
/** The number of empty polls after which the execution itself is read, in case its log lacks the end. */
const quietPolls = 15;
/** The number of successive polls with events missed by an open socket, after which the socket counts as dead. */
const deadSocketPolls = 3;
/** The maximum of executions that are searched for the one to show. */
const maxSearched = 20;

/**
 * Shows one execution and follows it to its end, by events of the socket and by polling its log. Both bring the same events, and each
 * is applied once.
 */
export class RunFollower {
  readonly #context: EngineContext;
  readonly #live: LiveLog;
  readonly #connection: Pick<ConnectionModule, 'refreshChannel' | 'requestTexts'>;
  #executionId: string | null = null;
  /** The pipeline of the execution; null until it is read, or if it was removed. */
  #pipeline: Pipeline | null = null;
  #links: RunLinks | null = null;
  /** The newest event in the console. */
  #seq = 0;
  #hasDetails = false;
  /** The version of the canvas that the found run began with, until it is compared. */
  #ranOn: number | undefined;
  /** The project's newest execution is still to be read. */
  #looking = false;
  #quiet = 0;
  /** The user waits for a single step. */
  #singleStep = false;
  #unheard = 0;
  #cancelTimer: (() => void) | null = null;
  #cancelQuiet: (() => void) | null = null;
  /** Events of the socket that are not shown yet. */
  #heard: ExecutionEvent[] = [];
  /** Shows an event immediately, and the events of the next frame together. The frame begins before the store's own. */
  readonly #showHeard: Throttled;

  constructor(context: EngineContext, live: LiveLog, connection: Pick<ConnectionModule, 'refreshChannel' | 'requestTexts'>) {
    this.#context = context;
    this.#live = live;
    this.#connection = connection;
    this.#showHeard = throttle(() => this.#takeHeard(), { ms: batchMs, later: context.environment.later });
  }

  /** For the socket: the newest event that is known of the execution. */
  since(): Record<string, number> {
    return this.#executionId ? { [this.#executionId]: this.#seq } : {};
  }

  /** Shows the project's newest active execution, else its newest one, else none; polls until the server answers. */
  showNewest(): Promise<void> {
    this.#looking = true;
    return this.pollNow();
  }

  /** Shows an execution and follows it while it is active. `pipeline`: its pipeline, if known. */
  follow(execution: Execution, pipeline: Pipeline | null = null): Promise<void> {
    if (this.#executionId !== execution.id) this.#turnTo(execution);
    this.#pipeline ??= pipeline;
    return this.pollNow();
  }

  /** Called when the user runs a single step of a paused run. */
  awaitStep(): void {
    // A quick step may have ended before the answer to its request.
    if (this.#context.store.state.run.phase === 'paused') return;
    this.#singleStep = true;
    this.#awaitNews();
  }

  /** Stops following; the shown state stays. */
  forget(): void {
    this.#rest();
    this.#cancelQuiet?.();
    this.#heard = [];
    this.#looking = false;
    this.#executionId = null;
  }

  /** The canvas is no longer the one that ran. */
  markPast(): void {
    const { run } = this.#context.store.state;
    if (run.outcome === null || run.isPast) return;
    this.#context.store.update((draft) => {
      draft.run.isPast = true;
    });
  }

  /** A canvas without a card of the run shows the next one. */
  #markElsewhere(): void {
    const { state, document } = this.#context.store;
    // While a project opens, its newest run is read before its canvas.
    if (state.status !== 'ready') return;
    if (state.run.steps.length > 0 && !state.run.steps.some(({ nodeId }) => nodeId !== null && document.nodes[nodeId])) this.markPast();
  }

  /** The canvas of the project is shown: only now it can be compared with that of the run that was found. */
  canvasShown(): void {
    const { run, save } = this.#context.store.state;
    const ranOn = this.#ranOn;
    this.#ranOn = undefined;
    if (run.execution?.id === this.#executionId && ranOn !== undefined && ranOn !== save.version) this.markPast();
    else this.#markElsewhere();
  }

  /** Takes the run off the canvas. */
  clear(): void {
    this.forget();
    this.#context.store.update((draft) => {
      draft.run = emptyRun;
    });
  }

  /** A message of the socket. */
  receive(message: ServerMessage): void {
    if (message.type === 'agent_thought' || message.type === 'test_log') this.#showText(message);
    if (message.type !== 'pipeline_update' || message.projectId !== this.#context.store.state.project?.id) return;
    if (message.executionId !== this.#executionId) {
      if (!isRunActive(this.#context.store.state.run) && isUnderWay(message)) void this.#discover(message.executionId);
      return;
    }
    this.#unheard = 0;
    const newest = this.#heard.at(-1)?.seq ?? this.#seq;
    if (message.seq === newest + 1 && this.#hasDetails) {
      this.#heard.push(message.event);
      this.#showHeard();
    } else if (message.seq > newest) void this.pollNow();
  }

  /** Reads new events. Polls one at a time, and once more for messages that arrived during a poll. */
  readonly pollNow = singleFlight(
    async (): Promise<void> => {
      this.#cancelTimer?.();
      this.#cancelTimer = null;
      try {
        await this.#poll();
      } finally {
        const { run } = this.#context.store.state;
        const isBehind = !this.#hasDetails || this.#seq < (run.execution?.lastSeq ?? 0);
        if (this.#looking || (this.#executionId && (isRunActive(run) || isBehind))) this.#schedule();
      }
    },
    { rerun: true },
  );

  #takeHeard(): void {
    const events = this.#heard;
    this.#heard = [];
    if (events.length > 0) this.#take(events, 'socket');
  }

  #turnTo(execution: Execution): void {
    this.#rest();
    this.#heard = [];
    this.#looking = false;
    this.#executionId = execution.id;
    this.#pipeline = null;
    this.#links = null;
    this.#seq = 0;
    this.#quiet = 0;
    this.#singleStep = false;
    this.#hasDetails = false;
    this.#awaitNews();
    this.#context.store.update(({ run }) => {
      showExecution(run, { ...execution, steps: [] });
      // Its events are read from the first one, which brings the run up to date.
      if (run.execution) run.execution.lastSeq = 0;
    });
  }

  async #look(): Promise<void> {
    const { backend, store } = this.#context;
    const { project } = store.state;
    const listed = project && (await backend.call('execution.list', { query: { projectId: project.id, limit: maxSearched } }));
    if (!this.#looking || !listed?.ok) return;
    this.#looking = false;
    // An execution that was created and not started is no run yet.
    const started = listed.value.filter(({ held }) => !held);
    const newest = started.find(isUnderWay) ?? started[0];
    if (!newest) return;
    this.#turnTo(newest);
    this.#ranOn = newest.canvasVersion;
    if (store.state.status === 'ready') this.canvasShown();
  }

  /** A run that was started in another tab or by another client. */
  async #discover(executionId: string): Promise<void> {
    const details = await this.#context.backend.call('execution.details', { params: { id: executionId } });
    if (details.ok && !isRunActive(this.#context.store.state.run)) await this.follow(details.value);
  }

  async #poll(): Promise<void> {
    const { backend, store, notify } = this.#context;
    if (!store.state.connection.authenticated) return;
    this.#showHeard.flush();
    if (this.#looking) await this.#look();
    const executionId = this.#executionId;
    if (!executionId) return;
    if (!this.#hasDetails) {
      const details = await backend.call('execution.details', { params: { id: executionId } });
      if (executionId !== this.#executionId) return;
      if (!details.ok) return this.#missed(details.fault);
      const pipeline = this.#pipeline ? null : await backend.call('pipeline.get', { params: { id: details.value.pipelineId } });
      if (executionId !== this.#executionId) return;
      if (pipeline?.ok) this.#pipeline = pipeline.value;
      this.#hasDetails = true;
      const wasActive = isRunActive(store.state.run);
      store.update(({ run }) => {
        // The socket may have brought more events meanwhile.
        if (details.value.lastSeq >= (run.execution?.lastSeq ?? 0)) showExecution(run, details.value);
        this.#links = this.#pipeline && RunLinks.of(this.#pipeline, run);
      });
      this.#markElsewhere();
      if (details.value.thinnedAt !== undefined) this.#passThinned(details.value);
      // When the log has the end, the run ends with that event.
      if (wasActive && !isRunActive(store.state.run) && this.#seq >= details.value.lastSeq) notify('onRunEnded', executionId);
    }
    for (let full = true; full; ) {
      const events = await backend.call('execution.logs', { params: { id: executionId }, query: { since: this.#seq, limit: logPage } });
      if (executionId !== this.#executionId) return;
      if (!events.ok) return this.#missed(events.fault);
      const before = this.#seq;
      this.#take(events.value, 'poll');
      this.#quiet = this.#seq > before ? 0 : this.#quiet + 1;
      if (this.#seq > before) this.#noteMissedBySocket();
      full = events.value.length === logPage && this.#seq > before;
    }
    if (this.#quiet < quietPolls) return;
    this.#quiet = 0;
    this.#hasDetails = false;
  }

  /** The events of an old run are gone: the console says so in their place, and none is waited for. */
  #passThinned({ lastSeq }: Execution): void {
    if (this.#seq >= lastSeq) return;
    this.#seq = lastSeq;
    this.#cancelQuiet?.();
    this.#context.console.addEvent({ code: 'run.thinned' });
  }

  #noteMissedBySocket(): void {
    this.#unheard = this.#hasSocket() ? this.#unheard + 1 : 0;
    if (this.#unheard < deadSocketPolls) return;
    this.#unheard = 0;
    this.#connection.refreshChannel();
  }

  /** A missing execution is not polled again; after any other fault the poll is repeated. */
  #missed(fault: BackendError): void {
    if (!isMissing(fault)) return;
    this.#executionId = null;
    this.#context.store.update(({ run }) => markExecutionRemoved(run, fault.problem));
  }

  #take(events: readonly ExecutionEvent[], via: LiveEvent['via']): void {
    const { store, console, notify } = this.#context;
    const fresh = events.filter((event) => event.executionId === this.#executionId && event.seq > this.#seq);
    const last = fresh.at(-1);
    if (!last) return;
    this.#seq = last.seq;
    const lines: ConsoleMessage[] = [];
    // One recipe for all events: each recipe has a cost.
    store.update((draft) => {
      const { run } = draft;
      for (const event of fresh) {
        if (applyExecutionEvent(run, event)) this.#links?.apply(event, run);
        lines.push(...consoleLines(event, run));
      }
      console.addTo(draft, lines);
      this.#live.addTo(draft, fresh, via);
    });
    if (store.state.run.phase === 'paused') this.#singleStep = false;
    this.#awaitNews();
    if (isRunActive(store.state.run)) return;
    this.#rest();
    this.#markElsewhere();
    // What a step that was cut off has cost is known after the end: without a socket the log is read once more.
    if (!this.#hasSocket() && store.state.run.steps.some(({ status }) => status === 'cancelled')) this.#schedule();
    notify('onRunEnded', last.executionId);
  }

  /** Reports once that a run has had no event for long, unless it is paused or waits for a person. */
  #awaitNews(): void {
    const { environment, store, console } = this.#context;
    this.#cancelQuiet?.();
    this.#cancelQuiet = environment.later(this.#singleStep ? singleStepQuietMs : quietMs, () => {
      const { phase, execution } = store.state.run;
      const isWaiting = phase === 'paused' || phase === 'stopped' || (execution?.openQuestions ?? 0) > 0;
      if (this.#executionId && !isWaiting) console.addEvent({ code: 'run.late' }, 'warning');
    });
  }

  /** Shows a part of a streamed text. After a gap the texts are requested from their beginning. */
  #showText(message: StreamedMessage): void {
    if (message.executionId !== this.#executionId) return;
    const outcome = showStreamedText(this.#context.store, message);
    if (outcome !== 'ignored') this.#awaitNews();
    if (outcome === 'missed') this.#connection.requestTexts();
  }

  #schedule(): void {
    this.#rest();
    const ms = this.#hasSocket() && !this.#singleStep ? pollWithSocketMs : pollMs;
    this.#cancelTimer = this.#context.environment.later(ms, () => void this.pollNow());
  }

  /** Whether messages about the run come without a poll: over the socket, or from the demonstration itself. */
  #hasSocket(): boolean {
    const { realtime } = this.#context.store.state.connection;
    return realtime === 'connected' || realtime === 'demo';
  }

  #rest(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }
}
