import type { z } from 'zod';
import { type HookEvent, hookEvents } from '../../../contract/hook.ts';
import type { TelegramLink, TelegramState, telegramUpdate } from '../../../contract/telegram.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, eq, lt, ne } from '../../platform/database/drizzle.ts';
import { hashOfToken, newToken } from '../../platform/secrets/tokens.ts';
import type { BotApi } from '../../platform/telegram/bot-api.ts';
import { HookRefused } from '../hooks/index.ts';
import { type ChatRow, telegramChats, telegramLinks, telegramProjects } from './tables.ts';

export type ChatsDeps = {
  db: Db;
  /** Null where the operator has set no bot. */
  bot: BotApi | null;
  /** Returns the id of an account's project. Throws `not_found`. */
  resolveProject: (userId: string, id: string) => Promise<string>;
  now: () => Date;
};

/** How long a link binds (ms). */
const linkMs = 15 * 60_000;

/** The chats that accounts have with the operator's bot, and what they are told. */
export class TelegramChats {
  readonly #deps: ChatsDeps;

  constructor(deps: ChatsDeps) {
    this.#deps = deps;
  }

  async state(userId: string, project: string): Promise<TelegramState> {
    const { db, bot, resolveProject } = this.#deps;
    const projectId = await resolveProject(userId, project);
    const [chat] = await db.select().from(telegramChats).where(eq(telegramChats.userId, userId));
    const [wish] = await db.select().from(telegramProjects).where(wishOf(userId, projectId));
    return { hasBot: bot !== null, chat: chat ? toApi(chat) : null, events: wish?.events ?? [] };
  }

  /** Makes a link that binds a chat, and tells it of all events of the project. Throws `hook_refused` without a bot, or when it cannot be reached. */
  async createLink(userId: string, project: string): Promise<TelegramLink> {
    const { db, bot, resolveProject, now } = this.#deps;
    const projectId = await resolveProject(userId, project);
    if (!bot) throw new HookRefused('no_bot');
    const name = await bot.name().catch(() => {
      throw new HookRefused('bot_unreachable');
    });
    const code = newToken();
    const expiresAt = new Date(now().getTime() + linkMs);
    await db.transaction(async (tx) => {
      await tx.delete(telegramLinks).where(eq(telegramLinks.userId, userId));
      await tx.insert(telegramLinks).values({ hash: hashOfToken(code), userId, projectId, expiresAt });
    });
    return { url: `https://t.me/${name}?start=${code}`, expiresAt: expiresAt.toISOString() };
  }

  /** Throws `hook_refused` for an account without a chat. */
  async update(userId: string, project: string, { events, quiet }: z.output<typeof telegramUpdate>): Promise<TelegramState> {
    const { db, resolveProject } = this.#deps;
    const projectId = await resolveProject(userId, project);
    await db.transaction(async (tx) => {
      const [chat] = await tx.select().from(telegramChats).where(eq(telegramChats.userId, userId)).for('no key update');
      if (!chat) throw new HookRefused('no_chat');
      if (events !== undefined) await putWish(tx, { userId, projectId, events });
      if (quiet === undefined) return;
      const hours = { quietFrom: quiet?.from ?? null, quietTo: quiet?.to ?? null, timeZone: quiet?.timeZone ?? null };
      await tx.update(telegramChats).set(hours).where(eq(telegramChats.userId, userId));
    });
    return this.state(userId, project);
  }

  /** `keep` writes in the same transaction. */
  async unbind(userId: string, keep: (tx: Db) => Promise<void> = async () => {}): Promise<void> {
    await this.#deps.db.transaction(async (tx) => {
      await tx.delete(telegramChats).where(eq(telegramChats.userId, userId));
      await keep(tx);
    });
  }

  /**
   * Binds a chat by the code of a link, once. A chat is that of one account, and an account has one chat. What the
   * account has chosen stays. `keep` writes in the same transaction. Returns the account; null for a code that binds nothing.
   */
  async bind(code: string, { chatId, name }: Pick<ChatRow, 'chatId' | 'name'>, keep: (tx: Db) => Promise<void>): Promise<string | null> {
    const { db, now } = this.#deps;
    return db.transaction(async (tx) => {
      const [link] = await tx
        .delete(telegramLinks)
        .where(eq(telegramLinks.hash, hashOfToken(code)))
        .returning();
      if (!link || link.expiresAt <= now()) return null;
      const { userId, projectId } = link;
      await tx.delete(telegramChats).where(and(eq(telegramChats.chatId, chatId), ne(telegramChats.userId, userId)));
      const row = { userId, chatId, name: name.slice(0, 100).toWellFormed(), boundAt: now(), blockedAt: null };
      await tx.insert(telegramChats).values(row).onConflictDoUpdate({ target: telegramChats.userId, set: row });
      await tx
        .insert(telegramProjects)
        .values({ userId, projectId, events: [...hookEvents] })
        .onConflictDoNothing();
      await keep(tx);
      return userId;
    });
  }

  async find(chatId: number): Promise<ChatRow | null> {
    const [row] = await this.#deps.db.select().from(telegramChats).where(eq(telegramChats.chatId, chatId));
    return row ?? null;
  }

  async ofAccount(userId: string): Promise<ChatRow | null> {
    const [row] = await this.#deps.db.select().from(telegramChats).where(eq(telegramChats.userId, userId));
    return row ?? null;
  }

  /** Marks that the person has blocked the bot: nothing more is sent until the chat is bound again. */
  async block(userId: string): Promise<void> {
    await this.#deps.db.update(telegramChats).set({ blockedAt: this.#deps.now() }).where(eq(telegramChats.userId, userId));
  }

  async removeOldLinks(): Promise<void> {
    await this.#deps.db.delete(telegramLinks).where(lt(telegramLinks.expiresAt, this.#deps.now()));
  }
}

const wishOf = (userId: string, projectId: string) => and(eq(telegramProjects.userId, userId), eq(telegramProjects.projectId, projectId));

async function putWish(tx: Db, row: { userId: string; projectId: string; events: HookEvent[] }): Promise<void> {
  const target = [telegramProjects.userId, telegramProjects.projectId];
  await tx.insert(telegramProjects).values(row).onConflictDoUpdate({ target, set: row });
}

function toApi({ name, boundAt, blockedAt, quietFrom: from, quietTo: to, timeZone }: ChatRow): NonNullable<TelegramState['chat']> {
  const quiet = from === null || to === null || timeZone === null ? null : { from, to, timeZone };
  return { name, boundAt: boundAt.toISOString(), blockedAt: blockedAt?.toISOString() ?? null, quiet };
}
