import { LRUCache } from 'lru-cache';
import { currentTurn } from '../../platform/database/account-turns.ts';
import { AdmissionQueue } from './admission-queue.ts';

/** Reads that hold what a whole large pipeline, run or canvas has: one at a time, in the turns of accounts. */
const largeLimits = { atOnce: 1, maxWaiting: 10_000, maxPerAccount: 1_000 };
/** All other reads. Each account has two places of its own, whatever others do. The connections to the database have limits of their own. */
const smallLimits = { atOnce: 4, atOncePerAccount: 2, atOnceOfEach: 2, maxWaiting: 10_000, maxPerAccount: 1_000 };

/** From here on a read is large: rows that it reads, or characters of its answer. */
const largeRows = 2_000;
const largeLength = 512 * 1024;
/** Large reads that are remembered. */
const maxRemembered = 10_000;

type Read = {
  /** The account, or the link of a holder without one. */
  reader: string;
  route: string;
  /** Whether it waits in a queue of its own: for a thread, or for the far side. It then never holds the place of large reads. */
  waitsElsewhere: boolean;
  signal: AbortSignal;
};

/** How large a read was. */
type ReadSize = { rows: number; length: number };

/**
 * Admits reads by their cost. It is not known before, but a reader repeats itself: a read takes the place of a large one when the same reader's
 * last one of the route was large.
 */
export class ReadAdmission {
  readonly #small = new AdmissionQueue(smallLimits);
  readonly #large = new AdmissionQueue(largeLimits);
  readonly #wasLarge = new LRUCache<string, true>({ max: maxRemembered });

  /** Runs a read, which returns the length of its answer. Its place is held until the answer is written. */
  async run({ reader, route, waitsElsewhere, signal }: Read, work: () => Promise<number>): Promise<void> {
    const key = `${route} ${reader}`;
    const queue = this.#wasLarge.has(key) && !waitsElsewhere ? this.#large : this.#small;
    const before = currentTurn().rows;
    const read = async () => {
      const length = await work();
      this.#note(key, { rows: currentTurn().rows - before, length });
    };
    await queue.run(reader, read, signal);
  }

  #note(key: string, { rows, length }: ReadSize): void {
    if (rows < largeRows && length < largeLength) this.#wasLarge.delete(key);
    else this.#wasLarge.set(key, true);
  }
}
