import type { BotProblem } from '../../../contract/telegram.ts';
import { proxyTrouble } from '../../platform/egress/tunnel.ts';
import { TelegramRefused } from '../../platform/telegram/bot-api.ts';

/** Why a call of the bot has failed. A token that Telegram has never known is answered with 404. */
export function problemOfBot(error: unknown): BotProblem {
  if (!(error instanceof TelegramRefused)) return proxyTrouble(error) === null ? 'unreachable' : 'proxy';
  if (error.status === 401 || error.status === 404) return 'token';
  return error.status === 409 ? 'conflict' : 'unreachable';
}
