/** The time without a zoom change after which the zoom counts as settled (ms), and the longest wait on a slow machine. */
export const zoomRestMs = 180;
const maxRestMs = 1_000;
/** With slow changes, a zoom settles after this multiple of the time between the last two changes. */
const restInGaps = 2.5;

/** Returns the wait until a zoom counts as settled (ms), given the `gap` between its last two changes (ms). */
export function restAfter(gap: number): number {
  return gap < maxRestMs ? Math.min(maxRestMs, Math.max(zoomRestMs, gap * restInGaps)) : zoomRestMs;
}

/**
 * Calls back once when the zoom has settled. With slow frames a pause between two wheel events is not the end: the layout work
 * would slow the frames down further. So one more frame must pass, which delivers the queued wheel events.
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
