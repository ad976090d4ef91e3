/** Times that it is asked for farther apart than this (ms) have nothing to do with each other. */
const longestGapMs = 400;

/**
 * Does something at once when it is asked for, and while it goes on being asked for now and then: every `ms`, or every `times`th
 * time where these come slowly. After the last time it is always done once more.
 */
export class NowAndThen {
  readonly #action: () => void;
  readonly #every: { ms: number; times: number };
  #resting: ReturnType<typeof setTimeout> | null = null;
  #askedAt = Number.NEGATIVE_INFINITY;
  #gap = 0;
  #isDue = false;

  constructor(action: () => void, every: { ms: number; times: number }) {
    this.#action = action;
    this.#every = every;
  }

  ask(): void {
    const now = performance.now();
    const gap = now - this.#askedAt;
    this.#gap = gap < longestGapMs ? gap : 0;
    this.#askedAt = now;
    this.#isDue = true;
    if (this.#resting === null) this.#act();
  }

  cancel(): void {
    if (this.#resting !== null) clearTimeout(this.#resting);
    this.#resting = null;
    this.#isDue = false;
  }

  #act(): void {
    this.#resting = null;
    if (!this.#isDue) return;
    this.#isDue = false;
    this.#action();
    this.#resting = setTimeout(() => this.#act(), Math.max(this.#every.ms, this.#gap * this.#every.times));
  }
}
