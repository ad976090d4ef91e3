import type { Point } from './geometry/camera.ts';

/** The time (ms) of a long press, and how far (CSS px) the finger may move during it. */
const holdMs = 500;
const slack = 10;

/** Detects a long press. Any other input cancels it. */
export class LongPress {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #at: Point | null = null;

  begin(at: Point, onLongPress: (at: Point) => void): void {
    this.end();
    this.#at = at;
    this.#timer = setTimeout(() => {
      this.#at = null;
      onLongPress(at);
    }, holdMs);
  }

  moved(to: Point): void {
    if (this.#at && Math.hypot(to.x - this.#at.x, to.y - this.#at.y) > slack) this.end();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#at = null;
  }
}
