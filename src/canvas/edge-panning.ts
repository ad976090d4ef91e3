import type { Point } from './geometry/camera.ts';

/** A pointer that only passes an edge takes nothing along: it has to stay there so long. */
const patienceMs = 180;
/** After a pause of the page the view does not jump. */
const longestStepMs = 50;

/** Moves the view frame by frame while a pointer stays at its edge. `speed` (CSS px a second) is asked before each frame, zero ends it. */
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

  /** To be called whenever the pointer has moved or the gesture has changed. */
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
    const seconds = Math.min(longestStepMs, Math.max(0, now - this.#last)) / 1_000;
    this.#last = now;
    this.#frame = requestAnimationFrame((next) => this.#step(next));
    if (now - this.#since > patienceMs) this.#pan(x * seconds, y * seconds);
  }
}
