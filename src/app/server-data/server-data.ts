import type { CallInput, ResponseTo } from '../../../contract/call.ts';
import type { RouteName } from '../../../contract/routes.ts';
import type { Answered, Call } from '../../model/call.ts';
import type { Problem } from '../../model/problem.ts';
import { ObservableValue } from '../../state/observable.ts';

/** What is known of an answer. `loading`: a read of it is under way whose failure is shown. */
export type Remote<T> = { value: T | null; problem: Problem | null; loading: boolean };
/** `known`: what is known when it is asked. */
export type Load<T> = (call: Call, known: () => T | null) => Promise<Answered<T>>;

const unread: Remote<never> = { value: null, problem: null, loading: true };

/** The answer to a route with its input, while a part of the page shows it. */
export class Entry<T> {
  readonly route: RouteName;
  readonly #call: Call;
  readonly #load: Load<T>;
  readonly #state = new ObservableValue<Remote<T>>(unread);
  readonly #onHeld: (isHeld: boolean) => void;
  #holders = 0;
  #asked: Promise<void> | null = null;
  #reads = 0;
  /** What could not be added. */
  #notAdded: Load<T> | null = null;

  constructor(route: RouteName, call: Call, load: Load<T>, onHeld: (isHeld: boolean) => void) {
    this.route = route;
    this.#call = call;
    this.#load = load;
    this.#onHeld = onHeld;
  }

  readonly get = this.#state.get;

  readonly subscribe = (listener: () => void): (() => void) => {
    const stop = this.#state.subscribe(listener);
    this.#holders += 1;
    if (this.#holders === 1) this.#onHeld(true);
    return () => {
      stop();
      this.#holders -= 1;
      if (this.#holders === 0) this.#onHeld(false);
    };
  };

  /** Reads, and shows why that failed. Reads that are asked for at once are one; the answer of the last one is shown. */
  read(): Promise<void> {
    this.#notAdded = null;
    this.#state.set({ ...this.get(), problem: null, loading: true });
    return this.refresh();
  }

  /** Adds to what is known, such as the next page of a list; nothing where nothing is known yet. */
  async add(load: Load<T>): Promise<void> {
    if (this.#known() === null) return;
    this.#notAdded = null;
    this.#state.set({ ...this.get(), problem: null });
    const answer = await load(this.#call, this.#known);
    if (!answer.ok) this.#notAdded = load;
    this.#state.set({ ...this.get(), ...(answer.ok ? { value: answer.value } : { problem: answer.error }) });
  }

  /** Does again what has failed. */
  again(): Promise<void> {
    return this.#notAdded ? this.add(this.#notAdded) : this.read();
  }

  readonly #known = (): T | null => this.get().value;

  /** Reads again without a sign of it: while nothing can be read, what was read last stays. */
  refresh(): Promise<void> {
    this.#asked ??= Promise.resolve().then(() => {
      this.#asked = null;
      return this.#read();
    });
    return this.#asked;
  }

  async #read(): Promise<void> {
    this.#reads += 1;
    const read = this.#reads;
    const answer = await this.#load(this.#call, this.#known);
    if (read !== this.#reads) return;
    const { value, problem, loading } = this.get();
    this.#state.set(
      answer.ok
        ? { value: answer.value, problem: null, loading: false }
        : { value, problem: loading ? answer.error : problem, loading: false },
    );
  }
}

/**
 * The one cache of what the page has read of a server: the answers that are shown, by route and input. What is shown nowhere is forgotten. `change`
 * makes the calls that change something.
 */
export class ServerData {
  readonly call: Call;
  readonly change: Call;
  readonly #entries = new Map<string, Entry<unknown>>();

  constructor(call: Call, change: Call = call) {
    this.call = call;
    this.change = change;
  }

  entry<T>(route: RouteName, input: unknown, load: Load<T>): Entry<T> {
    const key = keyOf(route, input);
    const known = this.#entries.get(key);
    if (known) return known as Entry<T>;
    const entry = new Entry<T>(
      route,
      this.call,
      load,
      (isHeld) => void (isHeld ? this.#entries.set(key, entry as Entry<unknown>) : this.#entries.delete(key)),
    );
    this.#entries.set(key, entry as Entry<unknown>);
    return entry;
  }

  /** What is shown of an answer; null where it is not read yet. */
  value<R extends RouteName>(route: R, input: CallInput<R>): ResponseTo<R> | null {
    return (this.#entries.get(keyOf(route, input))?.get().value ?? null) as ResponseTo<R> | null;
  }

  /** Reads again what is shown of these routes; `quietly`: without a sign of it. */
  async invalidate(routes: readonly RouteName[], quietly = false): Promise<void> {
    const shown = [...this.#entries.values()].filter(({ route }) => routes.includes(route));
    await Promise.all(shown.map((entry) => (quietly ? entry.refresh() : entry.read())));
  }
}

function keyOf(route: RouteName, input: unknown): string {
  return `${route} ${JSON.stringify(input)}`;
}
