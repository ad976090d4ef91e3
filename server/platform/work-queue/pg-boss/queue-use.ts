import type { RunStatement } from '../../database/prepared-statements.ts';
import type { QueueName } from '../work-queue.ts';

type QueueUseDeps = {
  run: RunStatement;
  /** True when no other process works on this database. */
  isAlone: boolean;
  /** A clock that never jumps (ms). */
  elapsed: () => number;
};

/**
 * How often a process that shares its database asks about queues that are not in use (ms). The others tell it when they use one. Only a process that ends
 * before it has told so, or a listener without a connection, leaves it to this question.
 */
const askEveryMs = 60_000;

/**
 * Knows which queues are in use. In the others there is nothing to look for: no receiver, no trigger, no chat. So an idle server asks nothing about
 * them. A process that is alone learns of each use by `mark`, because it makes all of them itself.
 */
export class QueueUse {
  readonly #deps: QueueUseDeps;
  readonly #queries = new Map<QueueName, string>();
  readonly #unused = new Set<QueueName>();
  readonly #marks = new Map<QueueName, number>();
  #askedAt = Number.NEGATIVE_INFINITY;
  #mustAsk = false;

  constructor(deps: QueueUseDeps) {
    this.#deps = deps;
  }

  /** `query`: SQL of one boolean. A queue without one is always in use. */
  watch(queue: QueueName, query: string): void {
    this.#queries.set(queue, query);
  }

  isInUse(queue: QueueName): boolean {
    return !this.#unused.has(queue);
  }

  /** Notes a use that is stored. Returns whether the queue was not in use before. */
  mark(queue: QueueName): boolean {
    this.#marks.set(queue, (this.#marks.get(queue) ?? 0) + 1);
    return this.#unused.delete(queue);
  }

  /** Makes the next `ask` ask, also in a process that is alone: this process may have missed a use while the database was away. */
  askSoon(): void {
    this.#mustAsk = true;
  }

  /** Asks the database whether the queues are in use, where the answer may have changed. Throws while the database is away. */
  async ask(): Promise<void> {
    const queues = [...this.#queries.keys()];
    if (!this.#isDue(queues)) return;
    const before = new Map(this.#marks);
    const columns = queues.map((queue) => `(${this.#queries.get(queue)}) AS "${queue}"`);
    // A wish that comes while the database answers holds for the next question: this answer may be older than the use.
    const mustAsk = this.#mustAsk;
    this.#mustAsk = false;
    const [answer] = await this.#deps.run({ text: `SELECT ${columns.join(', ')}`, values: [] }).catch((error: unknown) => {
      this.#mustAsk ||= mustAsk;
      throw error;
    });
    this.#askedAt = this.#deps.elapsed();
    for (const queue of queues) {
      if (answer?.[queue] !== false) this.#unused.delete(queue);
      // A use that was noted meanwhile is newer than the answer.
      else if (this.#marks.get(queue) === before.get(queue)) this.#unused.add(queue);
    }
  }

  #isDue(queues: readonly QueueName[]): boolean {
    if (queues.some((queue) => this.isInUse(queue))) return true;
    const { isAlone, elapsed } = this.#deps;
    return queues.length > 0 && (this.#mustAsk || (!isAlone && elapsed() - this.#askedAt >= askEveryMs));
  }
}
