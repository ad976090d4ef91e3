import { setTimeout as wait } from 'node:timers/promises';
import { v7 } from 'uuid';
import type { BotProblem } from '../../../contract/telegram.ts';
import type { Db } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/drizzle.ts';
import { retryOnOutage } from '../../platform/database/retry-on-outage.ts';
import { type BotApi, TelegramRefused, type Update } from '../../platform/telegram/bot-api.ts';
import { problemOfBot } from './bot-problem.ts';
import type { Reply, UpdateTaker } from './take-update.ts';

type PollDeps = {
  db: Db;
  bot: BotApi;
  taker: Pick<UpdateTaker, 'take' | 'tellOfFault' | 'tell'>;
  log: { warn: (about: object, line: string) => void };
  /** How long a node reads alone without a renewal: longer than one call for updates. */
  leaseMs: number;
};

export const pollLeaseMs = 60_000;
/** The longest pause that Telegram may ask for before a person is told what became of an answer (ms). */
const maxTellingPauseMs = 30_000;

const said = {
  token: 'Telegram refuses the token of the bot: set ARTEL_TELEGRAM_TOKEN to a valid one. Until then it sends and reads nothing.',
  conflict:
    'Another program reads the updates of the Telegram bot, or a webhook is set for it. Answers may be lost: give this server a bot of its own.',
  proxy: 'The proxy of this server does not connect to Telegram: the error says what it needs. Until then the bot sends and reads nothing.',
  unreachable: 'Updates of the Telegram bot could not be read now.',
  none: 'Updates of the Telegram bot are read again.',
} satisfies Record<BotProblem | 'none', string>;

/** Another node reads the updates now. */
class LeaseLost extends Error {
  constructor() {
    super('Another node takes the updates of the Telegram bot now.');
    this.name = 'LeaseLost';
  }
}

/**
 * Reads the updates of the bot by long polling, on one node at a time. The number of the next one is stored with what an update changes, and only by
 * the node that has the lease: a node whose lease has ended meanwhile changes nothing and sends nothing. A person is told after that, once.
 */
export class UpdatePoll {
  readonly #deps: PollDeps;
  readonly #holder = v7();
  readonly #closing = new AbortController();
  #loop: Promise<void> = Promise.resolve();
  /** What was said last of the bot. */
  #problem: BotProblem | null = null;

  constructor(deps: PollDeps) {
    this.#deps = deps;
  }

  /** `pauseMs`: before another node looks whether it may read, and before a failed call is repeated. */
  start(pauseMs: number): void {
    this.#loop = this.#repeat(pauseMs);
  }

  /** Resolves when the round under way has ended. Another node reads on. */
  async stop(): Promise<void> {
    this.#closing.abort();
    await this.#loop;
    await this.#deps.db.execute(sql`UPDATE telegram_updates SET held_until = 'epoch' WHERE holder = ${this.#holder}`);
  }

  async #repeat(usualPauseMs: number): Promise<void> {
    const { log } = this.#deps;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const pauseMs = await this.#readSome(usualPauseMs).catch((error: unknown) => {
        if (!signal.aborted && !(error instanceof LeaseLost))
          log.warn({ err: error }, 'Updates of the Telegram bot could not be taken now.');
        return usualPauseMs;
      });
      if (pauseMs > 0 && !signal.aborted) await wait(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Returns the pause before the next call (ms): none but after a failed one, while another node reads, and when the bot repeats old updates. */
  async #readSome(pauseMs: number): Promise<number> {
    const { bot } = this.#deps;
    const { signal } = this.#closing;
    const from = await this.#claim();
    if (from === null) return pauseMs;
    let updates: Update[];
    try {
      updates = await bot.updates(from, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      await this.#note(problemOfBot(error), error);
      return Math.max(pauseMs, (error instanceof TelegramRefused && error.waitMs) || 0);
    }
    await this.#note(null);
    let next = from;
    for (const update of updates) {
      if (signal.aborted) break;
      if (update.update_id < next) continue;
      next = update.update_id + 1;
      await this.#take(update, next);
    }
    return updates.length === 0 || next > from ? 0 : pauseMs;
  }

  /** Stores what is wrong with the bot for the people who have chats with it, and says it to the operator when it changes. */
  async #note(problem: BotProblem | null, error?: unknown): Promise<void> {
    if (problem !== this.#problem) this.#deps.log.warn(error ? { err: error } : {}, said[problem ?? 'none']);
    this.#problem = problem;
    await this.#deps.db.execute(sql`UPDATE telegram_updates SET problem = ${problem}::text, problem_since = now()
      WHERE holder = ${this.#holder} AND problem IS DISTINCT FROM ${problem}::text`);
  }

  /** Returns the number of the next update; null while another node has the lease. */
  async #claim(): Promise<number | null> {
    const { rows } = await this.#deps.db.execute<{ next: string }>(sql`UPDATE telegram_updates
      SET holder = ${this.#holder}, held_until = ${this.#leaseEnd()}
      WHERE held_until <= now() OR holder = ${this.#holder} RETURNING next_update AS next`);
    return rows[0] ? Number(rows[0].next) : null;
  }

  /** Takes an update, then tells what became of it. One that fails by a fault is reported and left: it would block all that follow. */
  async #take(update: Update, next: number): Promise<void> {
    const { db, taker, log } = this.#deps;
    const keep = (tx: Db) => this.#keep(tx, next);
    const isKept = async () => {
      const { rows } = await db.execute(
        sql`SELECT id FROM telegram_updates WHERE holder = ${this.#holder} AND next_update = ${next}::bigint`,
      );
      return rows.length > 0;
    };
    const lasting = <T>(work: () => Promise<T>) => retryOnOutage(work, this.#closing.signal);
    const reply = await taker.take(update, { keep, isKept, lasting }).catch((error: unknown) => {
      if (this.#closing.signal.aborted || error instanceof LeaseLost) throw error;
      log.warn({ err: error }, 'An update of the Telegram bot could not be taken.');
      return taker.tellOfFault(update);
    });
    await lasting(() => keep(db));
    if (reply) await this.#tell(reply);
  }

  /** Stores that all updates before `next` were taken, and renews the lease. Repeating it changes nothing. Throws `LeaseLost`. */
  async #keep(tx: Db, next: number): Promise<void> {
    const { rows } = await tx.execute(sql`UPDATE telegram_updates SET next_update = ${next}::bigint, held_until = ${this.#leaseEnd()}
      WHERE holder = ${this.#holder} AND next_update <= ${next}::bigint RETURNING id`);
    if (rows.length === 0) throw new LeaseLost();
  }

  /** A call that may have arrived is not repeated; one that Telegram has put off is. */
  async #tell(reply: Reply): Promise<void> {
    const { taker, log } = this.#deps;
    const { signal } = this.#closing;
    const tellLater = async (error: unknown) => {
      const { press: _ended, ...message } = reply;
      const ms = error instanceof TelegramRefused ? error.waitMs : null;
      if (ms === null || ms > maxTellingPauseMs) throw error;
      await wait(ms, undefined, { signal });
      await taker.tell(message);
    };
    await taker
      .tell(reply)
      .catch(tellLater)
      .catch((error: unknown) => log.warn({ err: error }, 'A person could not be told in Telegram what became of an answer.'));
  }

  #leaseEnd() {
    return sql`now() + ${this.#deps.leaseMs}::integer * interval '1 ms'`;
  }
}
