/** Ms without a change of zoom after which it counts as at rest. */
export const zoomRestMs = 180;

/** Tells once when the zoom has come to rest. */
export class ZoomRest {
  #zoom: number | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  readonly #onRest: () => void;

  constructor(onRest: () => void) {
    this.#onRest = onRest;
  }

  /** To be told of every zoom that is shown. */
  follow(zoom: number): void {
    if (zoom === this.#zoom) return;
    this.#zoom = zoom;
    this.cancel();
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#onRest();
    }, zoomRestMs);
  }

  cancel(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
