import type { Point } from './geometry/camera.ts';

/** How long a finger rests before it asks for the menu, and how far (CSS px) it may stray meanwhile. */
const holdMs = 500;
const slack = 10;

/** Waits for a finger that rests where it was put down. Whatever else happens ends the wait. */
export class LongPress {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #at: Point | null = null;

  begin(at: Point, held: (at: Point) => void): void {
    this.end();
    this.#at = at;
    this.#timer = setTimeout(() => {
      this.#at = null;
      held(at);
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
