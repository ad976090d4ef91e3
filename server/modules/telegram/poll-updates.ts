import { setTimeout as wait } from 'node:timers/promises';
import { v7 } from 'uuid';
import type { Db } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/drizzle.ts';
import type { BotApi, Update } from '../../platform/telegram/bot-api.ts';
import type { UpdateTaker } from './take-update.ts';

type PollDeps = {
  db: Db;
  bot: BotApi;
  taker: Pick<UpdateTaker, 'take'>;
  log: { warn: (about: object, line: string) => void };
};

/** How long a node reads alone without a renewal (s): longer than one call for updates. */
const heldSeconds = 60;
/** The pause before another node looks whether it may read, and before a failed call is repeated (ms). */
const pauseMs = 5_000;

/** Reads the updates of the bot by long polling, on one node at a time. The number of the next one is stored. */
export class UpdatePoll {
  readonly #deps: PollDeps;
  readonly #holder = v7();
  readonly #closing = new AbortController();
  #loop: Promise<void> = Promise.resolve();

  constructor(deps: PollDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#loop = this.#repeat();
  }

  /** Resolves when the round under way has ended. Another node reads on. */
  async stop(): Promise<void> {
    this.#closing.abort();
    await this.#loop;
    await this.#deps.db.execute(sql`UPDATE telegram_updates SET held_until = 'epoch' WHERE holder = ${this.#holder}`);
  }

  async #repeat(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const isHolder = await this.#readSome().catch((error: unknown) => {
        if (!signal.aborted) this.#deps.log.warn({ err: error }, 'Updates of the Telegram bot could not be read now.');
        return false;
      });
      if (!isHolder && !signal.aborted) await wait(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Returns false while another node reads. */
  async #readSome(): Promise<boolean> {
    const { db, bot } = this.#deps;
    const { rows } = await db.execute<{ next: string }>(sql`UPDATE telegram_updates
      SET holder = ${this.#holder}, held_until = now() + ${heldSeconds} * interval '1 s'
      WHERE held_until <= now() OR holder = ${this.#holder} RETURNING next_update AS next`);
    const [held] = rows;
    if (!held) return false;
    for (const update of await bot.updates(Number(held.next), this.#closing.signal)) {
      if (this.#closing.signal.aborted) break;
      await this.#take(update);
    }
    return true;
  }

  /** Takes an update. One that fails by a fault is reported and left: it would block all that follow. */
  async #take(update: Update): Promise<void> {
    const { db, taker, log } = this.#deps;
    const keep = async (tx: Db) => {
      await tx.execute(sql`UPDATE telegram_updates SET next_update = greatest(next_update, ${update.update_id + 1}::bigint)`);
    };
    await taker.take(update, keep).catch((error: unknown) => log.warn({ err: error }, 'An update of the Telegram bot could not be taken.'));
    await keep(db);
  }
}
