import type { Scene } from '../../../canvas/scene/scene.ts';
import type { FrameRecord } from './frame-summary.ts';

/** After a pause of this length (ms) the next frame begins a new movement. Its gap is not counted. */
const restMs = 250;
/** Input events that the browser dispatches right before a frame. Their work is counted as part of it. */
const inputEvents = ['pointermove', 'pointerdown', 'pointerup', 'wheel'] as const;

/**
 * Measures the page's frames until it is stopped. Calls `onFrame` for each frame in which the canvas was drawn. `rate` is the number
 * of frames in the last second. Requests each next frame, also while nothing is drawn.
 */
export class FrameProbe {
  readonly #scene: Scene;
  readonly #onFrame: (frame: FrameRecord) => void;
  readonly #channel = new MessageChannel();
  readonly #listeners = new AbortController();
  #request: number;
  #times: number[] = [];
  #lastTick = 0;
  #lastDrawn = Number.NEGATIVE_INFINITY;
  /** When the main thread began to work for the current or next frame. */
  #begun: number | null = null;
  #open: Omit<FrameRecord, 'mainMs'> | null = null;

  constructor(scene: Scene, onFrame: (frame: FrameRecord) => void) {
    this.#scene = scene;
    this.#onFrame = onFrame;
    const { signal } = this.#listeners;
    for (const type of inputEvents) window.addEventListener(type, this.#begin, { capture: true, passive: true, signal });
    scene.watch(this.#drawn);
    this.#channel.port1.onmessage = this.#painted;
    this.#request = requestAnimationFrame(this.#tick);
  }

  /** The number of the browser's frames in the last second. */
  get rate(): number {
    return this.#times.length;
  }

  stop(): void {
    cancelAnimationFrame(this.#request);
    this.#listeners.abort();
    this.#scene.watch(null);
    this.#channel.port1.close();
  }

  readonly #begin = () => {
    this.#begun ??= performance.now();
  };

  readonly #tick = (at: number) => {
    this.#begin();
    this.#request = requestAnimationFrame(this.#tick);
    this.#times.push(at);
    while ((this.#times[0] as number) < at - 1_000) this.#times.shift();
    this.#lastTick = this.#times[this.#times.length - 2] ?? at;
    // The message arrives after the browser has painted this frame.
    this.#channel.port2.postMessage(null);
  };

  readonly #drawn = (drawMs: number) => {
    const now = performance.now();
    const tick = this.#times[this.#times.length - 1] ?? now;
    const follows = now - this.#lastDrawn < restMs;
    this.#lastDrawn = now;
    if (!follows) return;
    const { nodesDrawn, drawCalls } = this.#scene.stats();
    this.#open = { at: tick, gapMs: tick - this.#lastTick, scriptMs: now - (this.#begun ?? now - drawMs), drawMs, nodesDrawn, drawCalls };
  };

  readonly #painted = () => {
    const frame = this.#open;
    if (frame) this.#onFrame({ ...frame, mainMs: performance.now() - (this.#begun ?? performance.now()) });
    this.#open = null;
    this.#begun = null;
  };
}
