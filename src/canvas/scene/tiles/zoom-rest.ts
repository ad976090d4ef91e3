/** Ms without a change of zoom after which it counts as at rest, and the longest that a slow machine has to wait for it. */
export const zoomRestMs = 180;
const maxRestMs = 1_000;
/** With slow changes, the pause that counts as rest is this many times the time between the last two. */
const restInGaps = 2.5;

/** Ms to wait for a zoom to rest that has changed `gap` ms after its last change. */
export function restAfter(gap: number): number {
  return gap < maxRestMs ? Math.min(maxRestMs, Math.max(zoomRestMs, gap * restInGaps)) : zoomRestMs;
}

/**
 * Calls back once when the zoom has come to rest. With slow frames a pause between two turns of the wheel is no rest: the work
 * at rest would slow the frames down further. So one more frame must pass, which delivers the queued wheel events.
 */
export class ZoomRest {
  #zoom: number | null = null;
  #changedAt = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #frame: number | null = null;
  readonly #zoomNow: () => number;
  readonly #onRest: (zoom: number) => void;

  constructor(zoomNow: () => number, onRest: (zoom: number) => void) {
    this.#zoomNow = zoomNow;
    this.#onRest = onRest;
  }

  /** Takes every zoom that is shown; `now` in ms of a steady clock. */
  follow(zoom: number, now: number): void {
    if (zoom === this.#zoom) return;
    this.#zoom = zoom;
    this.cancel();
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        this.#frame = requestAnimationFrame(() => {
          this.#frame = null;
          if (this.#zoomNow() === zoom) this.#onRest(zoom);
        });
      },
      restAfter(now - this.#changedAt),
    );
    this.#changedAt = now;
  }

  cancel(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = null;
  }
}
