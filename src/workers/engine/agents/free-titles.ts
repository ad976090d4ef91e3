/** The longest title of an agent on the server (characters). */
export const maxTitleLength = 200;

/** Gives titles that no other agent has. */
export class FreeTitles {
  readonly #taken: Set<string>;
  /** The number from which on titles with these words may be free. */
  readonly #next = new Map<string, number>();

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  /** The title itself where it is free. */
  own(title: string): string {
    if (this.#taken.has(title)) return this.copy(title);
    this.#taken.add(title);
    return title;
  }

  /** The same words with the next free number, starting with 2. */
  copy(title: string): string {
    const words = title.replace(/ \d+$/, '');
    for (let number = this.#next.get(words) ?? 2; ; number += 1) {
      const copy = `${words.slice(0, maxTitleLength - String(number).length - 1)} ${number}`;
      if (this.#taken.has(copy)) continue;
      this.#taken.add(copy);
      this.#next.set(words, number + 1);
      return copy;
    }
  }
}
