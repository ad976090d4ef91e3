type Group = { keys: Set<string>; first: string };

/** Groups keys by a shared value. The first key of a group is the one with the earliest place. */
export class Sharing<Value extends string | number> {
  /** Most values have one key, which is stored directly; a group is stored only for several keys. */
  readonly #groups = new Map<Value, string | Group>();
  readonly #places: ReadonlyMap<string, { place: number }>;

  /** `places`: the place of every present key; lower is earlier. */
  constructor(places: ReadonlyMap<string, { place: number }>) {
    this.#places = places;
  }

  first(value: Value): string | null {
    const group = this.#groups.get(value);
    return typeof group === 'object' ? group.first : (group ?? null);
  }

  /** Moves `key` from the group of `before` to the group of `now`; null means no group. Adds to `touched` all keys whose first key changed. */
  move(key: string, before: Value | null, now: Value | null, touched: Set<string>): void {
    if (before === now) return;
    if (before !== null) this.#leave(key, before, touched);
    if (now !== null) this.#join(key, now, touched);
  }

  addAll(value: Value, to: Set<string>): void {
    const group = this.#groups.get(value);
    if (typeof group === 'object') for (const key of group.keys) to.add(key);
    else if (group !== undefined) to.add(group);
  }

  #join(key: string, value: Value, touched: Set<string>): void {
    const known = this.#groups.get(value);
    if (known === undefined) {
      this.#groups.set(value, key);
      return;
    }
    const group = typeof known === 'object' ? known : { keys: new Set([known]), first: known };
    group.keys.add(key);
    this.#groups.set(value, group);
    if (!this.#isBefore(key, group.first)) return;
    group.first = key;
    this.addAll(value, touched);
  }

  #leave(key: string, value: Value, touched: Set<string>): void {
    const group = this.#groups.get(value);
    if (typeof group !== 'object') {
      this.#groups.delete(value);
      return;
    }
    group.keys.delete(key);
    const [one] = group.keys;
    if (one === undefined) this.#groups.delete(value);
    else if (group.first === key) {
      group.first = [...group.keys].reduce((first, other) => (this.#isBefore(other, first) ? other : first), one);
      this.addAll(value, touched);
    }
  }

  #isBefore(one: string, other: string): boolean {
    return (this.#places.get(one)?.place ?? 0) < (this.#places.get(other)?.place ?? 0);
  }
}
