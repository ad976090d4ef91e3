import type { Handlers } from '../../http/call.ts';
import type { Db } from '../../platform/database/database.ts';
import { createEgress } from '../../platform/egress/egress.ts';
import type { Proxies } from '../../platform/egress/proxies.ts';
import { BotApi } from '../../platform/telegram/bot-api.ts';
import type { EventSender } from '../hooks/index.ts';
import { type ChatsDeps, TelegramChats } from './chats.ts';
import { pollLeaseMs, UpdatePoll } from './poll-updates.ts';
import { createSendEvent, type SendEventDeps } from './send-event.ts';
import { type TakeUpdateDeps, UpdateTaker } from './take-update.ts';

/** The public functions of the module of Telegram: people are told of events by the operator's bot, and answer there. */

type TelegramDeps = Pick<ChatsDeps, 'resolveProject' | 'deliveries' | 'queue'> &
  Omit<SendEventDeps, 'bot' | 'chats'> &
  Omit<TakeUpdateDeps, 'bot' | 'chats'> & {
    /** For API calls. */
    db: Db;
    /** For the worker. */
    work: { db: Db };
    /** The operator's bot; null for none. */
    settings: { telegram: { url: string; token: string } | null };
    proxies: Proxies;
    log: { warn: (about: object, line: string) => void };
  };

/** The longest silence and the longest call (ms): above the time for which Telegram holds a call for updates. */
const timeouts = { idleTimeoutMs: 40_000, totalTimeoutMs: 60_000 };

export { answersByMessage, wordsOfButtons } from './written-answers.ts';

export type Telegram = {
  chats: TelegramChats;
  /** Sends an event to a chat; null without a bot. */
  send: EventSender | null;
  /** `pauseMs`: before another node looks whether it may read, and before a failed call is repeated. */
  start: (pauseMs: number) => void;
  stop: () => Promise<void>;
};

export function createTelegram(deps: TelegramDeps): Telegram {
  const { db, work, log, settings, proxies } = deps;
  // The operator has chosen the address, as that of a Bot API server of its own.
  const bot = settings.telegram && new BotApi(createEgress({ allowPrivate: true, proxies, ...timeouts }), settings.telegram);
  if (!bot) return { chats: new TelegramChats({ ...deps, bot }), send: null, start: () => {}, stop: async () => {} };
  const ofWork = { ...deps, bot, chats: new TelegramChats({ ...deps, db: work.db, bot }) };
  const poll = new UpdatePoll({ db: work.db, bot, log, leaseMs: pollLeaseMs, taker: new UpdateTaker(ofWork) });
  return {
    chats: new TelegramChats({ ...deps, db, bot }),
    send: createSendEvent(ofWork),
    start: (pauseMs) => poll.start(pauseMs),
    stop: () => poll.stop(),
  };
}

export function telegramHandlers(chats: TelegramChats): Pick<Handlers, Extract<keyof Handlers, `telegram.${string}`>> {
  return {
    'telegram.get': ({ user, params }) => chats.state(user.ownerId, params.id),
    'telegram.createLink': ({ user, params }) => chats.createLink(user.ownerId, params.id),
    'telegram.update': ({ user, params, body }) => chats.update(user.ownerId, params.id, body),
    'telegram.remove': ({ user }) => chats.unbind(user.ownerId),
  };
}
