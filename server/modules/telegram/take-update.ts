import { answerTextMaxLength, type Question, type QuestionAnswer } from '../../../contract/executions/question.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Language } from '../../http/call.ts';
import { type ServerText, translate } from '../../http/language.ts';
import type { Db } from '../../platform/database/database.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { BotApi, Button, Message, Press, Update } from '../../platform/telegram/bot-api.ts';
import type { TelegramChats } from './chats.ts';
import { questionIn } from './message-of.ts';
import type { ChatRow } from './tables.ts';
import { answersByMessage } from './written-answers.ts';

export type TakeUpdateDeps = {
  bot: Pick<BotApi, 'send' | 'endPress' | 'removeButtons'>;
  chats: Pick<TelegramChats, 'find' | 'bind' | 'unbind'>;
  /** Reads a question of an account. Throws `not_found`. */
  question: (userId: OwnerId, id: string) => Promise<Question>;
  /** Answers it. `keep` writes in the same transaction. Throws `question_answered`, `question_withdrawn` and `bad_request`. */
  answer: (userId: OwnerId, id: string, answer: QuestionAnswer, language: Language, keep: (tx: Db) => Promise<void>) => Promise<unknown>;
  languageOf: (userId: OwnerId) => Promise<Language>;
  /** The message that asks an account a question; the last one, where it came twice. Null for none that is known. */
  messageAbout: (userId: OwnerId, questionId: string) => Promise<number | null>;
  /** The name of an account, as a person tells it from others. */
  nameOfAccount: (userId: OwnerId) => Promise<string>;
};

/** How an update is stored as taken. */
type UpdateMark = {
  /** Stores it in a transaction. Throws where another node takes the updates now. */
  keep: (tx: Db) => Promise<void>;
  /** Whether it is stored: the reply to a commit may be lost. */
  isKept: () => Promise<boolean>;
  /** Repeats work on the database during an outage. */
  lasting: <T>(work: () => Promise<T>) => Promise<T>;
};

/**
 * What a person is told: below a message, or as the end of a press of its button. `emptied`: messages whose buttons do nothing more. `isSilent`: the note at
 * the end of the press says all.
 */
export type Reply = {
  chatId: number;
  messageId: number;
  text: string;
  buttons?: Button[][];
  emptied?: number[];
  press?: { id: string; isSilent: boolean };
};

/**
 * Takes what people send to the bot. What an update changes is stored together with its number, so that a repeated one changes nothing twice. No call
 * of Telegram is made meanwhile: an outage of the database repeats none.
 */
export class UpdateTaker {
  readonly #deps: TakeUpdateDeps;

  constructor(deps: TakeUpdateDeps) {
    this.#deps = deps;
  }

  /** Returns what the person is told then; null where there is no chat to tell. */
  async take({ message, callback_query: press }: Update, mark: UpdateMark): Promise<Reply | null> {
    if (message) return replyTo(message, await this.#takeMessage(message, mark));
    return press?.message ? this.#takePress(press, press.message, mark) : null;
  }

  /** Returns what a person is told whose message could not be taken by a fault. */
  tellOfFault({ message, callback_query: press }: Update): Reply | null {
    const at = message ?? press?.message;
    const from = message?.from ?? press?.from;
    return at ? replyTo(at, { language: languageGiven(from), name: 'telegram.fault' }) : null;
  }

  async tell({ chatId, messageId, text, buttons = [], emptied = [], press }: Reply): Promise<void> {
    const { bot } = this.#deps;
    // A press that is too old cannot be ended; the answer is stored all the same.
    if (press) await bot.endPress(press.id, text).catch(() => undefined);
    for (const one of emptied) await bot.removeButtons(chatId, one).catch(() => undefined);
    if (!press?.isSilent) await bot.send({ chatId, text, buttons, replyTo: messageId });
  }

  async #takeMessage(message: Message, mark: UpdateMark): Promise<Said> {
    const { chats, languageOf } = this.#deps;
    const { chat, from, text = '' } = message;
    const given = languageGiven(from);
    // In a group, others would read and answer.
    if (chat.type !== 'private') return { language: given, name: 'telegram.privateOnly' };
    const start = /^\/start ([\w-]{1,64})$/.exec(text)?.[1];
    if (start !== undefined) return this.#bind(start, { ...message, isConfirmed: false }, mark);
    const known = await mark.lasting(() => chats.find(chat.id));
    if (!known) return { language: given, name: 'telegram.unknown' };
    const language = await mark.lasting(() => languageOf(known.userId));
    return this.#read(known, message, language, mark);
  }

  async #read(known: ChatRow, { text = '', reply_to_message: about }: Message, language: Language, mark: UpdateMark): Promise<Said> {
    if (text === '/stop') {
      await mark.lasting(() => this.#deps.chats.unbind(known.userId, mark.keep));
      return { language, name: 'telegram.stopped' };
    }
    const questionId = questionIn(about?.text ?? '');
    if (!about || questionId === null) return { language, name: 'telegram.help' };
    if (text.length > answerTextMaxLength) return { language, name: 'telegram.tooLong' };
    if (text.trim() === '') return { language, name: 'telegram.textOnly' };
    return this.#answerAt({ questionId, messageId: about.message_id }, known, { text }, language, mark);
  }

  /** Binds a chat by a link, and says to whom. A chat of another account is asked first: the sender of the link would get its answers. */
  async #bind(code: string, { chat, from, isConfirmed }: OpenedLink, { keep, isKept, lasting }: UpdateMark): Promise<Said> {
    const { chats, languageOf, nameOfAccount } = this.#deps;
    const name = from?.username === undefined ? (from?.first_name ?? '') : `@${from.username}`;
    const binding = await lasting(() => chats.bind(code, { chatId: chat.id, name, isConfirmed }, keep));
    if (binding.kind === 'asks') {
      const language = await lasting(() => languageOf(binding.from));
      const [present, next] = [await lasting(() => nameOfAccount(binding.from)), await lasting(() => nameOfAccount(binding.userId))];
      const buttons = [[{ text: translate(language, 'telegram.move'), callback_data: `${moving}${code}` }]];
      return { language, name: 'telegram.asksToMove', params: { present, next }, buttons };
    }
    const userId = binding.kind === 'bound' ? binding.userId : (await lasting(() => chats.find(chat.id)))?.userId;
    if (userId === undefined) return { language: languageGiven(from), name: 'telegram.linkOver' };
    const [language, account] = [await lasting(() => languageOf(userId)), await lasting(() => nameOfAccount(userId))];
    const isBound = binding.kind === 'bound' || (await lasting(isKept));
    return { language, name: isBound ? 'telegram.bound' : 'telegram.boundAlready', params: { account } };
  }

  async #takePress({ id, from, data = '' }: Press, message: Message, mark: UpdateMark): Promise<Reply> {
    const { chats, languageOf } = this.#deps;
    if (data.startsWith(moving)) {
      const said = await this.#bind(data.slice(moving.length), { chat: message.chat, from, isConfirmed: true }, mark);
      return { ...replyTo(message, { ...said, emptied: [message.message_id] }), press: { id, isSilent: false } };
    }
    const known = await mark.lasting(() => chats.find(message.chat.id));
    const [, questionId = '', button = ''] = /^([0-9a-f-]{36}):(h|\d{1,3})$/.exec(data) ?? [];
    const language = known ? await mark.lasting(() => languageOf(known.userId)) : languageGiven(from);
    const said: Said = !known
      ? { language, name: 'telegram.unknown' }
      : questionId === ''
        ? { language, name: 'telegram.gone' }
        : await this.#answerAt({ questionId, messageId: message.message_id }, known, { button }, language, mark);
    return { ...replyTo(message, said), press: { id, isSilent: said.name === 'telegram.answered' } };
  }

  /**
   * Answers the question of a message. Once it is over, the buttons of the message do nothing more, nor do those of a later one: a server that was killed
   * before it had stored that it has asked asks once more.
   */
  async #answerAt(
    { questionId, messageId }: { questionId: string; messageId: number },
    known: ChatRow,
    given: { text: string } | { button: string },
    language: Language,
    mark: UpdateMark,
  ): Promise<Said> {
    const name = await this.#answer(known, questionId, given, language, mark);
    if (!over.has(name)) return { language, name };
    const last = await mark.lasting(() => this.#deps.messageAbout(known.userId, questionId));
    return { language, name, emptied: [...new Set([messageId, last ?? messageId])] };
  }

  /** Answers a question by a button or a text. Returns what the person is told. */
  async #answer(
    { userId }: ChatRow,
    questionId: string,
    given: { text: string } | { button: string },
    language: Language,
    { keep, isKept, lasting }: UpdateMark,
  ): Promise<ServerText> {
    const { question, answer } = this.#deps;
    try {
      const asked = await lasting(() => question(userId, questionId));
      const made = answerOf(asked, given);
      if (typeof made === 'string') return made;
      await lasting(() => answer(userId, questionId, made, language, keep));
      return 'telegram.answered';
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'question_answered') return (await lasting(isKept)) ? 'telegram.answered' : 'telegram.already';
      return error.code === 'bad_request' ? 'telegram.decideInArtel' : 'telegram.gone';
    }
  }
}

/** `params`: the words of its placeholders. */
type Said = { language: Language; name: ServerText; params?: Record<string, string>; buttons?: Button[][]; emptied?: number[] };
type OpenedLink = Pick<Message, 'chat' | 'from'> & { isConfirmed: boolean };

/** Begins the data of the button that moves a chat; the code of its link follows. */
const moving = 'move:';
/** What says that a question is over. */
const over: ReadonlySet<ServerText> = new Set(['telegram.answered', 'telegram.already', 'telegram.gone']);

function replyTo({ chat, message_id: messageId }: Message, { language, name, params = {}, ...parts }: Said): Reply {
  return { chatId: chat.id, messageId, text: translate(language, name, params), ...parts };
}

function languageGiven(from: Message['from']): Language {
  return from?.language_code?.startsWith('ru') ? 'ru' : 'en';
}

/** The answer of a button or a text; or why there is none. */
function answerOf(asked: Question, given: { text: string } | { button: string }): QuestionAnswer | ServerText {
  const here = answersByMessage(asked);
  if (!here) return 'telegram.decideInArtel';
  return 'text' in given ? here.ofText(asked, given.text) : here.ofButton(asked, given.button);
}
