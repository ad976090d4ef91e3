import type { Scene } from '../../../canvas/scene/scene.ts';
import type { FrameRecord } from './frame-summary.ts';

/** A frame before which nothing was drawn for so long (ms) begins a movement: its gap says nothing. */
const restMs = 250;
/** Input that the browser hands over right before a frame, and whose work therefore belongs to it. */
const inputEvents = ['pointermove', 'pointerdown', 'pointerup', 'wheel'] as const;

/**
 * Watches the page's frames: `onFrame` hears of each in which the canvas was drawn, `rate` counts those that the browser
 * gave in the last second. Works only until it is stopped, and keeps the page's frames coming while it does.
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
  /** When the main thread began to work for the frame to come, or under way. */
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

  /** Frames that the browser gave in the last second. */
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
    // Answered after the browser has painted what this frame changed.
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
