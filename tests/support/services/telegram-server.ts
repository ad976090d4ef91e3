import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitingList } from '../waiting-list.ts';

export type SentMessage = {
  chat_id: number;
  text: string;
  message_id: number;
  reply_markup?: { inline_keyboard: { text: string; callback_data?: string }[][] };
  reply_parameters?: { message_id: number };
};
type Update = { update_id: number } & Record<string, unknown>;

/** How long a call for updates is held (ms). */
const holdMs = 300;
/** The longest wait for a message (ms). */
const patienceMs = 40_000;

export const botToken = '123456:a-token-of-the-tests-of-this-bot';

export type TelegramServer = Awaited<ReturnType<typeof startTelegramServer>>;

/** A local server that plays the Bot API for one bot: it keeps updates until they are confirmed by a later offset. */
export async function startTelegramServer() {
  const sent = waitingList<SentMessage>('message of the bot', patienceMs);
  /** Names of other calls, with their bodies. */
  const calls: { method: string; body: Record<string, unknown> }[] = [];
  let updates: Update[] = [];
  let nextUpdate = 1_000;
  let nextMessage = 1;
  let refusal: { error_code: number; description: string; parameters?: object } | null = null;
  let refused = ['sendMessage'];
  let refusals = 0;
  let endless: string | null = null;
  let slowMs = 0;
  let onMessage = (_message: SentMessage) => {};
  let pollers = 0;
  let maxPollers = 0;

  const poll = async (offset: number): Promise<Update[]> => {
    pollers += 1;
    maxPollers = Math.max(maxPollers, pollers);
    updates = updates.filter(({ update_id: id }) => id >= offset);
    for (const end = performance.now() + holdMs; updates.length === 0 && performance.now() < end; )
      await new Promise((resolve) => setTimeout(resolve, 10));
    pollers -= 1;
    return updates;
  };

  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const [, token, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? [];
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}');
      const say = (status: number, answer: object) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      if (token !== botToken) return say(401, { ok: false, error_code: 401, description: 'Unauthorized' });
      if (refusal && refused.includes(method)) {
        refusals += 1;
        return say(refusal.error_code, { ok: false, ...refusal });
      }
      if (method === 'getMe') return say(200, { ok: true, result: { id: 1, is_bot: true, username: 'artel_bot' } });
      if (method === 'getUpdates' && endless === method) return sendForever(response);
      if (method === 'getUpdates') return say(200, { ok: true, result: await poll(body.offset) });
      if (method !== 'sendMessage') {
        calls.push({ method, body });
        return say(200, { ok: true, result: true });
      }
      if (body.text.length > 4_096) return say(400, { ok: false, error_code: 400, description: 'Bad Request: message is too long' });
      nextMessage += 1;
      const message_id = nextMessage;
      const message: SentMessage = { ...body, message_id };
      sent.add(message);
      onMessage(message);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, slowMs);
        // The bot may be killed meanwhile.
        response.once('close', () => {
          clearTimeout(timer);
          resolve();
        });
      });
      if (endless === method) return sendForever(response);
      say(200, { ok: true, result: { message_id, date: 0, chat: { id: body.chat_id, type: 'private' } } });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const add = (update: Record<string, unknown>) => {
    nextUpdate += 1;
    updates.push({ update_id: nextUpdate, ...update });
  };
  const from = { id: 5, first_name: 'Ann', username: 'ann', language_code: 'en' };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: sent.items,
    /** Waits for a message of the bot. */
    until: sent.until,
    calls,
    /** Tells of each message of the bot from now on. */
    watchMessages: (told: typeof onMessage) => {
      onMessage = told;
    },
    /** The most calls for updates at the same time. */
    maxPollers: () => maxPollers,
    /** A person writes to the bot. */
    write: (chatId: number, text: string, { replyTo, type = 'private' }: { replyTo?: SentMessage; type?: string } = {}) =>
      add({
        message: {
          ...{ message_id: 90_000, date: 0, chat: { id: chatId, type }, from, text },
          ...(replyTo !== undefined && {
            reply_to_message: { message_id: replyTo.message_id, date: 0, chat: { id: chatId, type }, text: replyTo.text },
          }),
        },
      }),
    press: (chatId: number, message: SentMessage, data: string | undefined) =>
      add({
        callback_query: {
          id: 'press',
          from,
          data,
          message: { message_id: message.message_id, date: 0, chat: { id: chatId, type: 'private' } },
        },
      }),
    /** Sends an update of a form that the bot does not know. */
    addOdd: () => add({ message: { text: 7 } }),
    /** Sends the last update once more, with its number, as after a lost confirmation. */
    repeatLast: (update: Update) => updates.push(update),
    last: () => ({ ...updates.at(-1) }) as Update,
    /** Refuses messages from now on, or calls of these names; null for no longer. */
    refuse: (next: typeof refusal, methods = ['sendMessage']) => {
      refusal = next;
      refused = methods;
      refusals = 0;
    },
    /** How many calls were refused since. */
    refusals: () => refusals,
    /** Answers calls of this name without an end; messages are taken all the same. Null for no longer. */
    answerForever: (method: 'sendMessage' | 'getUpdates' | null) => {
      endless = method;
    },
    /** Answers each message after a while (ms). */
    slowDown: (ms: number) => {
      slowMs = ms;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<unknown>((resolve) => server.close(resolve));
    },
  };
}

/** Writes as fast as it is read. */
function sendForever(response: http.ServerResponse): void {
  const piece = ' '.repeat(64 * 1024);
  const write = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.writeHead(200, { 'content-type': 'application/json' }).on('drain', write);
  write();
}
