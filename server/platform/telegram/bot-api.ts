import { z } from 'zod';
import type { Egress } from '../egress/egress.ts';

/** Telegram has refused a call. */
export class TelegramRefused extends Error {
  readonly status: number;
  /** The time to wait before another try (ms); null where waiting changes nothing. */
  readonly waitMs: number | null;

  constructor(status: number, description: string, waitMs: number | null) {
    super(description);
    this.name = 'TelegramRefused';
    this.status = status;
    this.waitMs = waitMs;
  }
}

/** A call was carried out, and the rest of its answer was not read. */
class AnswerLost extends Error {
  constructor(cause: unknown) {
    super('The answer of Telegram broke off.', { cause });
    this.name = 'AnswerLost';
  }
}

/** The pauses that are taken from Telegram (s). */
const pause = { min: 1, max: 3_600 };

const answer = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  error_code: z.number().optional(),
  description: z.string().default(''),
  parameters: z.object({ retry_after: z.number().optional() }).optional(),
});

const sentMessage = z.object({ message_id: z.number() });
const chat = z.object({ id: z.number(), type: z.string() });
const from = z.object({ first_name: z.string().default(''), username: z.string().optional(), language_code: z.string().optional() });
const message = z.object({
  message_id: z.number(),
  chat,
  from: from.optional(),
  text: z.string().optional(),
  reply_to_message: z.object({ message_id: z.number(), text: z.string().optional() }).optional(),
});
const update = z.object({
  update_id: z.number(),
  message: message.optional(),
  callback_query: z.object({ id: z.string(), from, data: z.string().optional(), message: message.optional() }).optional(),
});
export type Update = z.infer<typeof update>;
export type Message = z.infer<typeof message>;
export type Press = NonNullable<Update['callback_query']>;

export type Button = { text: string; callback_data: string };
type NewMessage = { chatId: number; text: string; buttons?: readonly (readonly Button[])[]; replyTo?: number };

/** Updates of one call: a hundred of the longest, with all letters escaped, are more than is read of an answer. */
const updatesAtOnce = 20;
/** The longest note at the end of a press (UTF-16 units). */
const maxNote = 200;
/** How long Telegram holds a call for updates (s): shorter than the longest silence of the egress. */
const pollSeconds = 25;

/** The Bot API, as one bot. Throws `TelegramRefused`, `AnswerLost`, and the errors of the egress. */
export class BotApi {
  readonly #egress: Egress;
  readonly #base: string;
  readonly #token: string;

  constructor(egress: Egress, { url, token }: { url: string; token: string }) {
    this.#egress = egress;
    this.#base = `${url.replace(/\/$/, '')}/bot${token}`;
    this.#token = token;
  }

  async name(signal?: AbortSignal): Promise<string> {
    return z.object({ username: z.string() }).parse(await this.#call('getMe', {}, signal)).username;
  }

  /** Waits for updates from `offset` on. One of an unknown form has its number alone. */
  async updates(offset: number, signal: AbortSignal): Promise<Update[]> {
    const body = { offset, limit: updatesAtOnce, timeout: pollSeconds, allowed_updates: ['message', 'callback_query'] };
    const found = z.array(z.looseObject({ update_id: z.number() })).parse(await this.#call('getUpdates', body, signal));
    return found.map((one) => update.safeParse(one).data ?? { update_id: one.update_id });
  }

  /**
   * Sends a plain text, and returns the number of its message. One whose answer breaks off after the status of success has arrived: it would come twice.
   * Its number is null.
   */
  async send({ chatId, text, buttons = [], replyTo }: NewMessage, signal?: AbortSignal): Promise<number | null> {
    const sent = await this.#call(
      'sendMessage',
      {
        chat_id: chatId,
        text,
        link_preview_options: { is_disabled: true },
        ...(buttons.length > 0 && { reply_markup: { inline_keyboard: buttons } }),
        ...(replyTo !== undefined && { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } }),
      },
      signal,
    ).catch((error: unknown) => {
      if (!(error instanceof AnswerLost)) throw error;
      return null;
    });
    return sentMessage.safeParse(sent).data?.message_id ?? null;
  }

  /** Ends the wait of a pressed button with a note. */
  async endPress(id: string, text: string): Promise<void> {
    await this.#call('answerCallbackQuery', { callback_query_id: id, text: text.slice(0, maxNote).toWellFormed() });
  }

  async removeButtons(chatId: number, messageId: number): Promise<void> {
    await this.#call('editMessageReplyMarkup', { chat_id: chatId, message_id: messageId, reply_markup: { inline_keyboard: [] } });
  }

  async #call(method: string, body: object, signal?: AbortSignal): Promise<unknown> {
    const response = await this.#egress(`${this.#base}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      secrets: [this.#token],
      ...(signal && { signal }),
    });
    const text = await response.text().catch((error: unknown) => {
      throw response.ok ? new AnswerLost(error) : error;
    });
    const said = answer.safeParse(jsonOf(text)).data;
    if (said?.ok === true) return said.result;
    const seconds = said?.parameters?.retry_after;
    const waitMs = seconds === undefined ? null : Math.min(Math.max(seconds, pause.min), pause.max) * 1_000;
    throw new TelegramRefused(said?.error_code ?? response.status, said?.description ?? '', waitMs);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
