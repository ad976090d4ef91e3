/** Refusals in one turn of the event loop: about 2 ms. */
const perTurn = 8;

/**
 * Spreads the refusals of wrong keys over turns of the event loop. However many come in one instant, calls of others are answered between them: a refusal
 * takes a third of a millisecond, and without turns all of them come before the next call.
 */
export class RefusalTurns {
  readonly #waiting: (() => void)[] = [];

  /** Resolves in the turn of this refusal. */
  take(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#waiting.push(resolve) === 1) setImmediate(() => this.#next());
    });
  }

  #next(): void {
    for (const resolve of this.#waiting.splice(0, perTurn)) resolve();
    if (this.#waiting.length > 0) setImmediate(() => this.#next());
  }
}
