import { type FrameRecord, type FrameSummary, summarise } from './frame-summary.ts';
import type { RoundTrip, UpdateSize } from './message-probe.ts';

export type RecordingConditions = {
  browser: string;
  cores: number;
  pixelRatio: number;
  view: { width: number; height: number };
  nodes: number;
  links: number;
  zoom: number;
  /** The page's heap (MB); null where the browser does not report it. */
  heapMb: number | null;
};

/** An exported recording. Times in ms, `at` since the page's start. */
export type Recording = {
  kind: 'artel.canvas-recording';
  version: 1;
  /** ISO 8601. */
  startedAt: string;
  durationMs: number;
  surroundings: RecordingConditions;
  summary: FrameSummary & { fps: number; roundTripP50: number | null };
  frames: FrameRecord[];
  roundTrips: RoundTrip[];
  updates: UpdateSize[];
};

/** The maximum of recorded frames, several hours of movement. The oldest ones are removed first. */
const maxFrames = 500_000;

/** Collects the measurements of the probes from its creation on. */
export class Recorder {
  readonly #startedAt: string;
  readonly #from: number;
  #frames: FrameRecord[] = [];
  readonly #roundTrips: RoundTrip[] = [];
  readonly #updates: UpdateSize[] = [];

  /** `startedAt` as ISO 8601, `from` in ms since the page's start. */
  constructor(startedAt: string, from: number) {
    this.#startedAt = startedAt;
    this.#from = from;
  }

  frame(frame: FrameRecord): void {
    this.#frames.push(frame);
    if (this.#frames.length > maxFrames) this.#frames = this.#frames.slice(maxFrames / 10);
  }

  roundTrip(trip: RoundTrip): void {
    this.#roundTrips.push(trip);
  }

  update(update: UpdateSize): void {
    this.#updates.push(update);
  }

  /** Returns everything recorded up to `now` (ms since the page's start). */
  finish(now: number, surroundings: RecordingConditions): Recording {
    const frames = this.#frames;
    const moving = frames.reduce((sum, frame) => sum + frame.gapMs, 0);
    const trips = this.#roundTrips.map((trip) => trip.ms).sort((a, b) => a - b);
    return {
      kind: 'artel.canvas-recording',
      version: 1,
      startedAt: this.#startedAt,
      durationMs: Math.round(now - this.#from),
      surroundings,
      summary: {
        ...summarise(frames),
        fps: moving > 0 ? Math.round((frames.length / moving) * 10_000) / 10 : 0,
        roundTripP50: trips[trips.length >> 1] ?? null,
      },
      frames,
      roundTrips: this.#roundTrips,
      updates: this.#updates,
    };
  }
}
