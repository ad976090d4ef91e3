type Timer = { at: number; order: number; task: () => void };

/** A clock that a test advances. Timers run in order, with every promise settled between them. */
export class VirtualClock {
  #now = Date.UTC(2026, 10, 20, 12);
  #order = 0;
  readonly #timers = new Set<Timer>();

  now = (): number => this.#now;

  later = (ms: number, task: () => void): (() => void) => {
    this.#order += 1;
    const timer = { at: this.#now + ms, order: this.#order, task };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  /** The machine sleeps: time passes, and due timers run late. */
  sleep(ms: number): void {
    this.#now += ms;
  }

  async pass(ms: number): Promise<void> {
    const until = this.#now + ms;
    await settle();
    for (let next = this.#next(until); next; next = this.#next(until)) {
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.task();
      await settle();
    }
    this.#now = until;
  }

  #next(until: number): Timer | undefined {
    return [...this.#timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at || a.order - b.order)[0];
  }
}

/** Lets every ready task run, those of the IndexedDB fake included. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
