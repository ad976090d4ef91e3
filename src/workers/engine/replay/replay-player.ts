import { singleFlight } from '../../../../async/single-flight.ts';
import { type Throttled, throttle } from '../../../../async/throttle.ts';
import type { CanvasDocument } from '../../../../contract/canvas.ts';
import type { ExecutionDetails } from '../../../../contract/executions/execution.ts';
import type { ExecutionEvent } from '../../../../contract/executions/execution-event.ts';
import type { ServerMessage } from '../../../../contract/realtime.ts';
import { type ReplayCommand, type ReplaySpeed, replaySpeeds } from '../../../model/commands.ts';
import { documentDifferences } from '../../../model/document/document-differences.ts';
import type { Problem } from '../../../model/problem.ts';
import { ReplayAxis } from '../../../model/replay/replay-axis.ts';
import { replayMarks, spentAlong } from '../../../model/replay/replay-marks.ts';
import { isUnderWay, type ReplayPlaying, type ReplayState } from '../../../model/workspace-state.ts';
import { type Answer, isMissing } from '../backends/port.ts';
import type { EngineContext } from '../engine-context.ts';
import { Recording } from './recording.ts';
import { showMoment } from './show-moment.ts';

const logPage = 1_000;
/** The shortest and the longest time between two moments that a playing replay shows (ms). The longest keeps the clocks of steps moving. */
const shownEvery = { least: 33, most: 250 };
/** How often the events of a run under way are read when no message brings them (ms). */
const pollMs = 5_000;
const describedEveryMs = 1_000;

type SeekTarget = Extract<ReplayCommand, { type: 'replay.seek' }>['to'];

/** Plays one run again: reads its events, shows the moment of any place, and moves along the axis of time. */
export class ReplayPlayer {
  readonly executionId: string;
  readonly #context: EngineContext;
  #recording: Recording | null = null;
  #axis = new ReplayAxis([], false);
  #cancelTick: (() => void) | null = null;
  #cancelPoll: (() => void) | null = null;
  #isClosed = false;
  /** Marks and sums of all events are made again at most so often while a run goes on. */
  readonly #describeSoon: Throttled;

  constructor(context: EngineContext, executionId: string) {
    this.#context = context;
    this.executionId = executionId;
    const describe = () => this.#update((replay) => this.#describeAxis(replay));
    this.#describeSoon = throttle(describe, { ms: describedEveryMs, later: context.environment.later });
  }

  /** Reads the run and shows its end, or its newest moment. Returns the problem if it cannot be read. */
  async open(): Promise<Problem | null> {
    const { backend } = this.#context;
    const details = await backend.call('execution.details', { params: { id: this.executionId } });
    if (!details.ok) return details.fault.problem;
    if (details.value.thinnedAt !== undefined) return { code: 'run.thinned' };
    const [pipeline, events, document] = await Promise.all([
      backend.call('pipeline.get', { params: { id: details.value.pipelineId } }),
      this.#readEvents(0, details.value.lastSeq),
      this.#readCanvas(details.value),
    ]);
    if (!events.ok) return events.fault.problem;
    if (this.#isClosed) return null;
    const recording = new Recording(details.value, pipeline.ok ? pipeline.value : null, events.value);
    this.#recording = recording;
    this.#axis = new ReplayAxis(recording.events, false);
    const count = recording.events.length;
    const { run, steps, added } = recording.momentAt(count);
    const moment = this.#axis.timeAt(this.#axis.durationMs);
    this.#update((replay) => {
      Object.assign(replay, {
        status: 'ready',
        run: { ...run, moment },
        steps,
        versions: added,
        event: count,
        total: count,
        read: count,
        isUnderWay: isUnderWay(details.value),
        document,
        lines: recording.lines.slice(),
        lineCount: recording.lines.length,
        placeMs: this.#axis.durationMs,
      } satisfies Partial<ReplayState>);
      this.#describeAxis(replay);
    });
    if (isUnderWay(details.value)) this.#schedulePoll();
    return null;
  }

  seek(to: SeekTarget): void {
    const event = 'placeMs' in to ? null : Math.min(Math.max(0, this.#eventOf(to)), this.#axis.length);
    const placeMs = 'placeMs' in to ? Math.min(Math.max(0, to.placeMs), this.#axis.durationMs) : this.#axis.placeOf(event ?? 0);
    this.#show(placeMs, event ?? this.#axis.eventsAt(placeMs));
    const { playing } = this.#state ?? {};
    if (playing) this.#move({ direction: playing.direction, fromMs: placeMs, since: this.#context.environment.now() });
  }

  /** Moves on from the place that is shown. From the end it begins at the start, and backwards from the start it begins at the end. */
  play(direction: 1 | -1, speed = this.#nextSpeed(direction)): void {
    const place = this.#placeNow();
    const { durationMs } = this.#axis;
    const fromMs = direction > 0 ? (place >= durationMs ? 0 : place) : place <= 0 ? durationMs : place;
    this.#update((replay) => {
      replay.speed = speed;
    });
    this.#move({ direction, fromMs, since: this.#context.environment.now() });
    this.#tick();
  }

  #nextSpeed(direction: 1 | -1): ReplaySpeed {
    const { playing, speed = 1 } = this.#state ?? {};
    if (!playing) return speed;
    return playing.direction === direction ? (replaySpeeds.find((other) => other > speed) ?? speed) : 1;
  }

  pause(): void {
    const place = this.#placeNow();
    this.#cancelTick?.();
    this.#update((replay) => {
      replay.playing = null;
    });
    this.#show(place, this.#axis.eventsAt(place));
  }

  /** Shows the same moment on the other axis. */
  cutIdle(cutsIdle: boolean): void {
    if (!this.#recording) return;
    this.pause();
    const event = this.#state?.event ?? 0;
    this.#axis = new ReplayAxis(this.#recording.events, cutsIdle);
    this.#update((replay) => {
      replay.cutsIdle = cutsIdle;
      this.#describeAxis(replay);
    });
    this.#show(this.#axis.placeOf(event), event);
  }

  /** A message of the socket about this run: a missed event is read. */
  receive(message: Extract<ServerMessage, { type: 'pipeline_update' }>): void {
    if (!this.#recording || message.seq <= this.#recording.lastSeq) return;
    if (message.seq === this.#recording.lastSeq + 1) this.#add([message.event]);
    else void this.readNew();
  }

  /** Reads and adds the events that are not known yet. */
  readonly readNew = singleFlight(
    async (): Promise<void> => {
      const recording = this.#recording;
      if (!recording || this.#isClosed) return;
      const events = await this.#readEvents(recording.lastSeq, null);
      if (events.ok) this.#add(events.value);
      else if (isMissing(events.fault)) return this.#end(events.fault.problem);
      if (this.#state?.isUnderWay) this.#schedulePoll();
    },
    { rerun: true },
  );

  /** The run was removed: the bar says so. */
  #end(error: Problem): void {
    this.#update((replay) => {
      Object.assign(replay, { status: 'failed', error, playing: null });
    });
    this.close();
  }

  close(): void {
    this.#isClosed = true;
    this.#describeSoon.cancel();
    this.#cancelTick?.();
    this.#cancelPoll?.();
  }

  /** Reads the canvas that ran: of the version of its team, else of the version of the canvas. Null for the present canvas, and where it is not kept. */
  async #readCanvas({ projectId, teamVersionId, canvasVersion }: ExecutionDetails): Promise<CanvasDocument | null> {
    const { backend, store } = this.#context;
    const read = async () => {
      if (teamVersionId !== undefined) {
        const team = await backend.call('teamVersion.get', { params: { id: projectId, version: teamVersionId } });
        if (team.ok) return team.value.document;
      }
      if (!canvasVersion) return null;
      const version = await backend.call('project.version', { params: { id: projectId, version: canvasVersion } });
      return version.ok ? { nodes: version.value.nodes, connections: version.value.connections } : null;
    };
    const document = await read();
    return document && documentDifferences(store.working.document, document).length > 0 ? document : null;
  }

  /** `total`: how many there are, to show the progress; null to read without it. */
  async #readEvents(since: number, total: number | null): Promise<Answer<ExecutionEvent[]>> {
    const events: ExecutionEvent[] = [];
    for (let last = since; !this.#isClosed; ) {
      const page = await this.#context.backend.call('execution.logs', {
        params: { id: this.executionId },
        query: { since: last, limit: logPage },
      });
      if (!page.ok) return page;
      for (const event of page.value) events.push(event);
      last = page.value.at(-1)?.seq ?? last;
      if (page.value.length < logPage) break;
      if (total !== null)
        this.#update((replay) => {
          replay.read = last;
          replay.total = total;
        });
    }
    return { ok: true, value: events };
  }

  #add(events: readonly ExecutionEvent[]): void {
    const recording = this.#recording;
    const state = this.#state;
    if (!recording || !state || this.#isClosed) return;
    // At the newest moment the replay follows the run.
    const follows = state.playing === null && state.event === this.#axis.length;
    const before = recording.events.length;
    const lines = recording.add(events);
    for (const event of recording.events.slice(before)) this.#axis.add(event);
    const newest = recording.events.at(-1);
    if (recording.events.length === before || !newest) return;
    this.#update((replay) => {
      replay.lines.push(...lines);
      replay.read = recording.events.length;
      replay.total = replay.read;
      replay.isUnderWay = isUnderWay(newest);
      replay.durationMs = this.#axis.durationMs;
    });
    this.#describeSoon();
    if (follows) this.#show(this.#axis.durationMs, this.#axis.length);
  }

  #describeAxis(replay: ReplayState): void {
    const { events } = this.#recording as Recording;
    replay.durationMs = this.#axis.durationMs;
    replay.marks = replayMarks(events, this.#axis);
    replay.spent = spentAlong(events, this.#axis);
  }

  #eventOf(to: Exclude<SeekTarget, { placeMs: number }>): number {
    if ('event' in to) return to.event;
    const { event = 0, marks = [] } = this.#state ?? {};
    if ('events' in to) return event + to.events;
    if (to.marks > 0) return marks.find((mark) => mark.event > event)?.event ?? this.#axis.length;
    return marks.findLast((mark) => mark.event < event)?.event ?? 0;
  }

  #move(playing: ReplayPlaying): void {
    this.#update((replay) => {
      replay.playing = playing;
    });
  }

  readonly #tick = (): void => {
    this.#cancelTick?.();
    const { playing, speed = 1 } = this.#state ?? {};
    if (!playing) return;
    const place = this.#placeNow();
    const event = this.#axis.eventsAt(place);
    this.#show(place, event);
    const isAtEnd = playing.direction > 0 ? place >= this.#axis.durationMs : place <= 0;
    if (isAtEnd) {
      this.#update((replay) => {
        replay.playing = null;
      });
      return;
    }
    const next = playing.direction > 0 ? this.#axis.placeOf(event + 1) : this.#axis.placeOf(event) - 1;
    const wait = Math.abs(next - place) / speed;
    this.#cancelTick = this.#context.environment.later(Math.min(Math.max(wait, shownEvery.least), shownEvery.most), this.#tick);
  };

  /** The place now (ms): that of the playhead while it moves. */
  #placeNow(): number {
    const { playing, placeMs = 0, speed = 1 } = this.#state ?? {};
    if (!playing) return placeMs;
    const past = Math.max(0, this.#context.environment.now() - playing.since);
    return Math.min(Math.max(0, playing.fromMs + playing.direction * past * speed), this.#axis.durationMs);
  }

  #show(placeMs: number, event: number): void {
    const recording = this.#recording;
    const from = this.#state;
    if (!recording || !from) return;
    const { run, ...moment } = recording.momentAt(event);
    this.#update((replay) => {
      showMoment(replay, from, { ...moment, run: { ...run, moment: this.#axis.timeAt(placeMs) } });
      replay.event = event;
      replay.placeMs = placeMs;
      replay.lineCount = recording.lineCount(event);
    });
  }

  #schedulePoll(): void {
    this.#cancelPoll?.();
    this.#cancelPoll = this.#context.environment.later(pollMs, () => void this.readNew());
  }

  get #state(): ReplayState | null {
    return this.#context.store.state.replay;
  }

  #update(change: (replay: ReplayState) => void): void {
    if (this.#isClosed) return;
    this.#context.store.update((draft) => {
      if (draft.replay?.executionId === this.executionId) change(draft.replay as ReplayState);
    });
  }
}
