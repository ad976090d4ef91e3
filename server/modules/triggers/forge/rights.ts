import { elapsedBetween } from '../../../platform/clock.ts';
import type { ForgePerson } from '../../../platform/git/forges/forge.ts';

/** What the forge has said of each account, by its id: whether it may write, and when that was said (ISO 8601). */
export type KnownRights = Record<string, { may: boolean; at: string }>;

/** For how long a right is known, and for how long it is known that there is none: who is given rights need not wait for a day (ms). */
const knownMs = { may: 24 * 60 * 60_000, mayNot: 10 * 60_000 };
/** Accounts that are kept. */
const maxKept = 500;

/** Who may change the repository: the forge is asked for the permission of an account once a day, also over many readings. */
export class Rights {
  readonly #ask: (person: ForgePerson) => Promise<boolean>;
  readonly #now: () => Date;
  readonly #known: Map<string, { may: boolean; at: string }>;

  constructor(known: KnownRights, { ask, now }: { ask: (person: ForgePerson) => Promise<boolean>; now: () => Date }) {
    this.#ask = ask;
    this.#now = now;
    this.#known = new Map(Object.entries(known));
  }

  async mayWrite(person: ForgePerson): Promise<boolean> {
    const known = this.#known.get(person.id);
    if (known && this.#isFresh(known)) return known.may;
    const may = await this.#ask(person);
    this.#known.delete(person.id);
    this.#known.set(person.id, { may, at: this.#now().toISOString() });
    return may;
  }

  /** Returns what is to be kept: the newest answers that still hold. */
  kept(): KnownRights {
    return Object.fromEntries([...this.#known].filter(([, known]) => this.#isFresh(known)).slice(-maxKept));
  }

  #isFresh({ may, at }: { may: boolean; at: string }): boolean {
    return elapsedBetween(new Date(at), this.#now()) < (may ? knownMs.may : knownMs.mayNot);
  }
}
