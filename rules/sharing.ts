/** Who has the same of something, by what it is; the first of them is the one that has been there longest. */
export class Sharing {
  readonly #groups = new Map<string, { keys: Set<string>; first: string }>();
  readonly #places: ReadonlyMap<string, { place: number }>;

  /** `places`: lower is earlier; known for every key that is there. */
  constructor(places: ReadonlyMap<string, { place: number }>) {
    this.#places = places;
  }

  first(value: string): string | null {
    return this.#groups.get(value)?.first ?? null;
  }

  /** Takes `key` from those who share `before` to those who share `now`; null is shared by nobody. Adds to `touched` all whose first has become another. */
  move(key: string, before: string | null, now: string | null, touched: Set<string>): void {
    if (before === now) return;
    if (before !== null) this.#leave(key, before, touched);
    if (now !== null) this.#join(key, now, touched);
  }

  addAll(value: string, to: Set<string>): void {
    for (const key of this.#groups.get(value)?.keys ?? []) to.add(key);
  }

  #join(key: string, value: string, touched: Set<string>): void {
    const group = this.#groups.get(value);
    if (!group) {
      this.#groups.set(value, { keys: new Set([key]), first: key });
      return;
    }
    group.keys.add(key);
    if (!this.#isBefore(key, group.first)) return;
    group.first = key;
    this.addAll(value, touched);
  }

  #leave(key: string, value: string, touched: Set<string>): void {
    const group = this.#groups.get(value);
    if (!group) return;
    group.keys.delete(key);
    if (group.keys.size === 0) this.#groups.delete(value);
    else if (group.first === key) {
      group.first = [...group.keys].reduce((one, other) => (this.#isBefore(other, one) ? other : one));
      this.addAll(value, touched);
    }
  }

  #isBefore(one: string, other: string): boolean {
    return (this.#places.get(one)?.place ?? 0) < (this.#places.get(other)?.place ?? 0);
  }
}
