/** The frame time of animations (ms): a slow pulse needs no higher rate. */
const animationFrameMs = 33;

/** Draws one frame on request, and none while the tab is hidden. */
export class FrameLoop {
  readonly #draw: () => void;
  #frame: number | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(draw: () => void) {
    this.#draw = draw;
    document.addEventListener('visibilitychange', this.#onVisibility);
  }

  /** Draws with the browser's next frame. */
  request(): void {
    if (this.#frame !== null || document.hidden) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = null;
      this.#draw();
    });
  }

  /** Draws again after one step of animation, or after `ms`, unless a frame is requested sooner. */
  requestLater(ms = animationFrameMs): void {
    if (this.#timer !== null || document.hidden) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.request();
    }, ms);
  }

  stop(): void {
    document.removeEventListener('visibilitychange', this.#onVisibility);
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#frame = null;
    this.#timer = null;
  }

  readonly #onVisibility = () => {
    if (!document.hidden) {
      this.request();
      return;
    }
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#frame = null;
    this.#timer = null;
  };
}
