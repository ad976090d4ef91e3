import type { Point } from './geometry/camera.ts';

/** The time that a pointer must stay at an edge before the view moves (ms). */
const patienceMs = 180;
/** The longest frame (ms) that counts, so that the view does not jump after a pause of the page. */
const maxStepMs = 50;

/** Moves the view frame by frame while a pointer stays at its edge. `speed` (CSS px a second) is called before each frame; zero ends the panning. */
export class EdgePanning {
  readonly #speed: () => Point;
  readonly #pan: (dx: number, dy: number) => void;
  #frame: number | null = null;
  #since = 0;
  #last = 0;

  constructor(speed: () => Point, pan: (dx: number, dy: number) => void) {
    this.#speed = speed;
    this.#pan = pan;
  }

  /** Call it when the pointer has moved or the gesture has changed. */
  update(): void {
    const { x, y } = this.#speed();
    if (x === 0 && y === 0) this.stop();
    else if (this.#frame === null) {
      this.#since = performance.now();
      this.#last = this.#since;
      this.#frame = requestAnimationFrame((now) => this.#step(now));
    }
  }

  stop(): void {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = null;
  }

  #step(now: number): void {
    const { x, y } = this.#speed();
    this.#frame = null;
    if (x === 0 && y === 0) return;
    const seconds = Math.min(maxStepMs, Math.max(0, now - this.#last)) / 1_000;
    this.#last = now;
    this.#frame = requestAnimationFrame((next) => this.#step(next));
    if (now - this.#since > patienceMs) this.#pan(x * seconds, y * seconds);
  }
}
