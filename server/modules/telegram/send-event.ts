import type { Execution } from '../../../contract/executions/execution.ts';
import type { QuestionDetails } from '../../../contract/executions/question.ts';
import type { DeliveryProblem, HookEvent } from '../../../contract/hook.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Language } from '../../http/call.ts';
import { proxyTrouble } from '../../platform/egress/tunnel.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { type BotApi, TelegramRefused } from '../../platform/telegram/bot-api.ts';
import type { EventSender } from '../hooks/index.ts';
import type { TelegramChats } from './chats.ts';
import { messageOf } from './message-of.ts';
import { quietWaitMs } from './quiet-wait.ts';

export type SendEventDeps = {
  bot: BotApi;
  chats: TelegramChats;
  /** Reads a question of an account. Throws `not_found`. */
  question: (userId: OwnerId, id: string) => Promise<QuestionDetails>;
  /** Reads a run of an account. Throws `not_found`. */
  readRun: (userId: OwnerId, id: string) => Promise<Pick<Execution, 'initialTask' | 'error'>>;
  languageOf: (userId: OwnerId) => Promise<Language>;
  nameOfProject: (userId: OwnerId, projectId: string) => Promise<string>;
  /** The server's public address. */
  address: () => string;
  now: () => Date;
};

/** Sends an event to a chat: later in quiet hours, and not at all when by then its question is closed or its kind is not chosen any more. */
export function createSendEvent({ bot, chats, question, readRun, languageOf, nameOfProject, address, now }: SendEventDeps): EventSender {
  return async ({ userId, event: given, projectId, about }, signal) => {
    const event = given as HookEvent;
    const { chat, wish } = await chats.receiver(userId, projectId);
    if (!chat || chat.blockedAt !== null) return ended('blocked');
    if (!wish?.events.includes(event)) return ended(null);
    const ms = wish.urgent.includes(event) ? 0 : quietWaitMs(wish, now());
    if (ms > 0) return { ms };
    const questionId = typeof about.questionId === 'string' ? about.questionId : null;
    const asked = questionId === null ? null : await question(userId, questionId).catch(nullIfGone);
    if (questionId !== null && asked?.state !== 'open') return ended(null);
    const link = `${address()}/test-project?projectId=${projectId}${questionId === null ? '' : `&question=${questionId}`}`;
    const project = await nameOfProject(userId, projectId);
    const runId = typeof about.executionId === 'string' ? about.executionId : null;
    const found = runId === null ? null : await readRun(userId, runId).catch(nullIfGone);
    const told = found && { task: found.initialTask, problem: found.error?.message ?? null };
    const shown = { event, project, about, run: told, question: asked, draft: asked?.draft ?? null, link };
    const message = messageOf(shown, await languageOf(userId));
    try {
      const messageId = await bot.send({ chatId: chat.chatId, ...message }, signal);
      return { ...ended(null), messageId };
    } catch (error) {
      if (!(error instanceof TelegramRefused)) return ended(proxyTrouble(error) === null ? 'unreachable' : 'proxy');
      if (error.waitMs !== null) return { ms: error.waitMs };
      if (error.status !== 403) return ended('status');
      await chats.block(userId);
      return ended('blocked');
    }
  };
}

const ended = (problem: DeliveryProblem | null) => ({ problem, answerStatus: null });

function nullIfGone(error: unknown): null {
  if (error instanceof ApiError && error.code === 'not_found') return null;
  throw error;
}
