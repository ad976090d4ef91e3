import { answerTextMaxLength, type Question, type QuestionAnswer } from '../../../contract/executions/question.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Language } from '../../http/call.ts';
import { type ServerText, translate } from '../../http/language.ts';
import type { Db } from '../../platform/database/database.ts';
import type { BotApi, Message, Press, Update } from '../../platform/telegram/bot-api.ts';
import type { TelegramChats } from './chats.ts';
import { isAnsweredHere, questionIn } from './message-of.ts';
import type { ChatRow } from './tables.ts';

export type TakeUpdateDeps = {
  bot: BotApi;
  chats: TelegramChats;
  /** Reads a question of an account. Throws `not_found`. */
  question: (userId: string, id: string) => Promise<Question>;
  /** Answers it. `keep` writes in the same transaction. Throws `question_answered`, `question_withdrawn` and `bad_request`. */
  answer: (userId: string, id: string, answer: QuestionAnswer, language: Language, keep: (tx: Db) => Promise<void>) => Promise<unknown>;
  languageOf: (userId: string) => Promise<Language>;
};

/** Takes what people send to the bot. An answer is stored together with the number of its update, so that a repeated update answers nothing twice. */
export class UpdateTaker {
  readonly #deps: TakeUpdateDeps;

  constructor(deps: TakeUpdateDeps) {
    this.#deps = deps;
  }

  /** `keep` stores in a transaction that the update was taken. */
  async take({ message, callback_query: press }: Update, keep: (tx: Db) => Promise<void>): Promise<void> {
    if (message) await this.#takeMessage(message, keep);
    else if (press) await this.#takePress(press, keep);
  }

  async #takeMessage(message: Message, keep: (tx: Db) => Promise<void>): Promise<void> {
    const { bot, chats, languageOf } = this.#deps;
    const { chat, from, text = '', message_id: replyTo } = message;
    const given: Language = from?.language_code?.startsWith('ru') ? 'ru' : 'en';
    const say = (language: Language, name: ServerText) => bot.send({ chatId: chat.id, text: translate(language, name), replyTo });
    // In a group, others would read and answer.
    if (chat.type !== 'private') return void (await say(given, 'telegram.privateOnly'));
    const start = /^\/start ([\w-]{1,64})$/.exec(text)?.[1];
    if (start !== undefined) return this.#start(start, message, given);
    const known = await chats.find(chat.id);
    if (!known) return void (await say(given, 'telegram.unknown'));
    const language = await languageOf(known.userId);
    if (text === '/stop') {
      await chats.unbind(known.userId);
      return void (await say(language, 'telegram.stopped'));
    }
    const asked = questionIn(message.reply_to_message?.text ?? '');
    if (asked === null) return void (await say(language, 'telegram.help'));
    if (text.length > answerTextMaxLength) return void (await say(language, 'telegram.tooLong'));
    if (text.trim() === '') return void (await say(language, 'telegram.textOnly'));
    await say(language, await this.#answer(known, asked, { text }, language, keep));
  }

  async #start(code: string, { chat, from, message_id: replyTo }: Message, given: Language): Promise<void> {
    const { bot, chats, languageOf } = this.#deps;
    const name = from?.username === undefined ? (from?.first_name ?? '') : `@${from.username}`;
    const userId = (await chats.bind(code, { chatId: chat.id, name })) ?? (await chats.find(chat.id))?.userId ?? null;
    const language = userId === null ? given : await languageOf(userId);
    await bot.send({ chatId: chat.id, text: translate(language, userId === null ? 'telegram.linkOver' : 'telegram.bound'), replyTo });
  }

  async #takePress({ id, data = '', message }: Press, keep: (tx: Db) => Promise<void>): Promise<void> {
    const { bot, chats, languageOf } = this.#deps;
    const known = message ? await chats.find(message.chat.id) : null;
    const [, questionId = '', button = ''] = /^([0-9a-f-]{36}):(h|\d{1,3})$/.exec(data) ?? [];
    if (!known || !message || questionId === '') return bot.endPress(id, '');
    const language = await languageOf(known.userId);
    const said = await this.#answer(known, questionId, { button }, language, keep);
    // A press that is too old cannot be ended; the answer is stored all the same.
    await bot.endPress(id, translate(language, said)).catch(() => undefined);
    if (said !== 'telegram.answered')
      await bot.send({ chatId: known.chatId, text: translate(language, said), replyTo: message.message_id });
    else await bot.removeButtons(known.chatId, message.message_id).catch(() => undefined);
  }

  /** Answers a question by a button or a text. Returns what the person is told. */
  async #answer(
    { userId }: ChatRow,
    questionId: string,
    given: { text: string } | { button: string },
    language: Language,
    keep: (tx: Db) => Promise<void>,
  ): Promise<ServerText> {
    const { question, answer } = this.#deps;
    try {
      const asked = await question(userId, questionId);
      const made = answerOf(asked, given);
      if (typeof made === 'string') return made;
      await answer(userId, questionId, made, language, keep);
      return 'telegram.answered';
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return error.code === 'question_answered'
        ? 'telegram.already'
        : error.code === 'bad_request'
          ? 'telegram.decideInArtel'
          : 'telegram.gone';
    }
  }
}

/** The answer of a button or a text; or why there is none. */
function answerOf(asked: Question, given: { text: string } | { button: string }): QuestionAnswer | ServerText {
  if (!isAnsweredHere(asked)) return 'telegram.decideInArtel';
  const { kind, buttons, actions } = asked;
  if ('text' in given) {
    if (kind === 'hand_off') return actions.includes('askAgain') ? { action: 'askAgain', text: given.text } : 'telegram.decideInArtel';
    return buttons.length > 0 ? 'telegram.pressButton' : { action: 'answer', text: given.text };
  }
  if (kind === 'hand_off') return given.button === 'h' ? { action: 'handOn' } : 'telegram.gone';
  const label = buttons[Number(given.button)];
  return label === undefined ? 'telegram.gone' : { action: 'answer', label };
}
