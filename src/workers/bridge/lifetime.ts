/**
 * The lifetime of an object such as a worker. A caller that waits for an answer gets null if the lifetime ends first. An answered
 * call leaves nothing in memory, while a race against one promise of the end would keep each answer.
 */
export class Lifetime {
  #isOver = false;
  readonly #waiting = new Set<() => void>();

  /** The answer, or null when the end comes first. */
  within<T>(answer: Promise<T>): Promise<T | null> {
    return new Promise((resolve, reject) => {
      const resolveNull = () => resolve(null);
      if (this.#isOver) resolveNull();
      else this.#waiting.add(resolveNull);
      answer.then(resolve, reject).finally(() => this.#waiting.delete(resolveNull));
    });
  }

  end(): void {
    this.#isOver = true;
    for (const giveUp of this.#waiting) giveUp();
    this.#waiting.clear();
  }
}
