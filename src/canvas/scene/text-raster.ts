/** Ms without a change of zoom after which text is drawn anew for the zoom it has come to rest at. */
export const zoomRestMs = 140;

/**
 * At which zoom the text of full cards is drawn. While the zoom changes, text drawn for another zoom is stretched; when it
 * rests, text is drawn again, pixel for pixel.
 */
export class TextRaster {
  #zoom = 1;
  #timer: ReturnType<typeof setTimeout> | null = null;
  readonly #onRest: () => void;

  constructor(onRest: () => void) {
    this.#onRest = onRest;
  }

  get zoom(): number {
    return this.#zoom;
  }

  /** Takes a zoom over at once. */
  set(zoom: number): void {
    this.cancel();
    this.#zoom = zoom;
  }

  /** Takes a zoom over when it has rested. */
  rest(zoom: number): void {
    this.cancel();
    if (zoom === this.#zoom) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#zoom = zoom;
      this.#onRest();
    }, zoomRestMs);
  }

  cancel(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
