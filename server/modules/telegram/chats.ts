import type { z } from 'zod';
import { hookEvents } from '../../../contract/hook.ts';
import type { TelegramLink, TelegramState, telegramUpdate } from '../../../contract/telegram.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, eq, lt, ne } from '../../platform/database/drizzle.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { hashOfToken, newToken } from '../../platform/secrets/tokens.ts';
import type { BotApi } from '../../platform/telegram/bot-api.ts';
import type { WorkQueue } from '../../platform/work-queue/work-queue.ts';
import { HookRefused, type Hooks } from '../hooks/index.ts';
import { problemOfBot } from './bot-problem.ts';
import { type ChatRow, telegramChats, telegramLinks, telegramProjects, telegramUpdates, type WishRow } from './tables.ts';

export type ChatsDeps = {
  db: Db;
  /** Null where the operator has set no bot. */
  bot: BotApi | null;
  /** Returns the id of an account's project. Throws `not_found`. */
  resolveProject: (userId: OwnerId, id: string) => Promise<string>;
  deliveries: Pick<Hooks, 'retryChat' | 'chatFailedAt'>;
  queue: Pick<WorkQueue, 'markInUse'>;
  now: () => Date;
};

/** The chat that has opened a link. `isConfirmed`: its person has pressed the button that moves it from another account. */
type OpenedLink = Pick<ChatRow, 'chatId' | 'name'> & { isConfirmed: boolean };
/** What has become of an opened link. `asks`: the chat is that of the account `from` as yet. `over`: the link binds nothing. */
export type Binding = { kind: 'bound'; userId: OwnerId } | { kind: 'asks'; userId: OwnerId; from: OwnerId } | { kind: 'over' };

/** How long a link binds (ms). */
const linkMs = 15 * 60_000;

/** The chats that accounts have with the operator's bot, and what they are told. */
export class TelegramChats {
  readonly #deps: ChatsDeps;

  constructor(deps: ChatsDeps) {
    this.#deps = deps;
  }

  async state(userId: OwnerId, project: string): Promise<TelegramState> {
    const { db, bot, resolveProject, deliveries } = this.#deps;
    const projectId = await resolveProject(userId, project);
    const { chat, wish } = await this.receiver(userId, projectId);
    const [read] = bot ? await db.select().from(telegramUpdates) : [];
    const lostAt = chat && (await deliveries.chatFailedAt(userId, projectId));
    return {
      hasBot: bot !== null,
      problem: read?.problem && read.problemSince ? { kind: read.problem, since: read.problemSince.toISOString() } : null,
      chat: chat && {
        name: chat.name,
        boundAt: chat.boundAt.toISOString(),
        blockedAt: chat.blockedAt?.toISOString() ?? null,
        lostAt: lostAt?.toISOString() ?? null,
      },
      events: wish?.events ?? [],
      urgent: wish?.urgent ?? [],
      quiet: wish ? quietOf(wish) : null,
    };
  }

  /** Makes a link that binds a chat, and tells it of all events of the project. Throws `hook_refused` without a bot, or when it cannot be reached. */
  async createLink(userId: OwnerId, project: string): Promise<TelegramLink> {
    const { db, bot, resolveProject, now } = this.#deps;
    const projectId = await resolveProject(userId, project);
    if (!bot) throw new HookRefused('no_bot');
    const name = await bot.name().catch((error: unknown) => {
      const problem = problemOfBot(error);
      throw new HookRefused(problem === 'token' ? 'bot_refused' : problem === 'proxy' ? 'bot_proxy' : 'bot_unreachable');
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
  async update(userId: OwnerId, project: string, { events, urgent, quiet }: z.output<typeof telegramUpdate>): Promise<TelegramState> {
    const { db, resolveProject, deliveries } = this.#deps;
    const projectId = await resolveProject(userId, project);
    await db.transaction(async (tx) => {
      const [chat] = await tx.select().from(telegramChats).where(eq(telegramChats.userId, userId)).for('no key update');
      if (!chat) throw new HookRefused('no_chat');
      const hours = { quietFrom: quiet?.from ?? null, quietTo: quiet?.to ?? null, timeZone: quiet?.timeZone ?? null };
      const given = { ...(events && { events }), ...(urgent && { urgent }), ...(quiet !== undefined && hours) };
      const target = [telegramProjects.userId, telegramProjects.projectId];
      await tx
        .insert(telegramProjects)
        .values({ userId, projectId, events: [], ...given })
        .onConflictDoUpdate({ target, set: { projectId, ...given } });
    });
    // What waits for the end of hours that are other ones now.
    if (urgent !== undefined || quiet !== undefined) await deliveries.retryChat(userId, projectId);
    return this.state(userId, project);
  }

  /** `keep` writes in the same transaction. */
  async unbind(userId: OwnerId, keep: (tx: Db) => Promise<void> = async () => {}): Promise<void> {
    await this.#deps.db.transaction(async (tx) => {
      await tx.delete(telegramChats).where(eq(telegramChats.userId, userId));
      await keep(tx);
    });
  }

  /**
   * Binds a chat by the code of a link, once. A chat is that of one account, and an account has one chat. What the
   * account has chosen stays. A chat of another account stays there until the move is confirmed. `keep` writes in the same transaction.
   */
  async bind(code: string, { chatId, name, isConfirmed }: OpenedLink, keep: (tx: Db) => Promise<void>): Promise<Binding> {
    const { db, queue, now } = this.#deps;
    const isLink = eq(telegramLinks.hash, hashOfToken(code));
    const bound = db.transaction(async (tx): Promise<Binding> => {
      const [link] = await tx.select().from(telegramLinks).where(isLink).for('update');
      if (!link || link.expiresAt <= now()) return { kind: 'over' };
      const { userId, projectId } = link;
      const isOfOther = and(eq(telegramChats.chatId, chatId), ne(telegramChats.userId, userId));
      const [other] = await tx.select().from(telegramChats).where(isOfOther).for('update');
      if (other && !isConfirmed) return { kind: 'asks', userId, from: other.userId };
      await tx.delete(telegramLinks).where(isLink);
      await tx.delete(telegramChats).where(isOfOther);
      const row = { userId, chatId, name: name.slice(0, 100).toWellFormed(), boundAt: now(), blockedAt: null };
      await tx.insert(telegramChats).values(row).onConflictDoUpdate({ target: telegramChats.userId, set: row });
      await tx
        .insert(telegramProjects)
        .values({ userId, projectId, events: [...hookEvents] })
        .onConflictDoNothing();
      await keep(tx);
      return { kind: 'bound', userId };
    });
    return bound.finally(() => queue.markInUse('delivery'));
  }

  async find(chatId: number): Promise<ChatRow | null> {
    const [row] = await this.#deps.db.select().from(telegramChats).where(eq(telegramChats.chatId, chatId));
    return row ?? null;
  }

  /** Returns the chat of an account, and what it is told of a project. */
  async receiver(userId: OwnerId, projectId: string): Promise<{ chat: ChatRow | null; wish: WishRow | null }> {
    const { db } = this.#deps;
    const [chat = null] = await db.select().from(telegramChats).where(eq(telegramChats.userId, userId));
    const [wish = null] = await db
      .select()
      .from(telegramProjects)
      .where(and(eq(telegramProjects.userId, userId), eq(telegramProjects.projectId, projectId)));
    return { chat, wish };
  }

  /** Marks that the person has blocked the bot: nothing more is sent until the chat is bound again. */
  async block(userId: OwnerId): Promise<void> {
    await this.#deps.db.update(telegramChats).set({ blockedAt: this.#deps.now() }).where(eq(telegramChats.userId, userId));
  }

  async removeOldLinks(): Promise<void> {
    await this.#deps.db.delete(telegramLinks).where(lt(telegramLinks.expiresAt, this.#deps.now()));
  }
}

function quietOf({ quietFrom: from, quietTo: to, timeZone }: WishRow): TelegramState['quiet'] {
  return from === null || to === null || timeZone === null ? null : { from, to, timeZone };
}
