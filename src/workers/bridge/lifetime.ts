/**
 * Something that ends once. Who waits for an answer of it hears of its end instead, and leaves nothing behind once answered: a
 * promise of the end would keep what every answer was asked for until then.
 */
export class Lifetime {
  #isOver = false;
  readonly #waiting = new Set<() => void>();

  /** The answer, or null when the end comes first. */
  within<T>(answer: Promise<T>): Promise<T | null> {
    return new Promise((resolve, reject) => {
      const giveUp = () => resolve(null);
      if (this.#isOver) giveUp();
      else this.#waiting.add(giveUp);
      answer.then(resolve, reject).finally(() => this.#waiting.delete(giveUp));
    });
  }

  end(): void {
    this.#isOver = true;
    for (const giveUp of this.#waiting) giveUp();
    this.#waiting.clear();
  }
}
