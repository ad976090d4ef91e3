/** What every observable and store offers: `subscribe`. */
export type Subscribable = { subscribe: (listener: () => void) => () => void };

/** Calls its listeners with each event. A listener that is added during an event hears the next one; a removed listener hears nothing more. */
export class Observable<Event extends unknown[] = []> {
  /** Replaced at each change, so that an event goes through the list that it began with. */
  #entries: readonly { listener: ((...event: Event) => void) | null }[] = [];

  /** Adds a listener. Returns the function that removes it. */
  readonly subscribe = (listener: (...event: Event) => void): (() => void) => {
    const added: { listener: typeof listener | null } = { listener };
    this.#entries = [...this.#entries, added];
    return () => {
      added.listener = null;
      this.#entries = this.#entries.filter((entry) => entry !== added);
    };
  };

  notify(...event: Event): void {
    for (const entry of this.#entries) entry.listener?.(...event);
  }
}

/** An observable that holds one value, and notifies when another value is set. */
export class ObservableValue<T> extends Observable<[T]> {
  #value: T;

  constructor(value: T) {
    super();
    this.#value = value;
  }

  readonly get = (): T => this.#value;

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    this.notify(value);
  }
}

/** Notifies when one of several sources does. */
export function mergeSources(...sources: Subscribable[]): Subscribable {
  return {
    subscribe: (listener) => {
      const removals = sources.map((source) => source.subscribe(listener));
      return () => {
        for (const remove of removals) remove();
      };
    },
  };
}
