import type { TokenUsage } from '../../../../contract/common.ts';
import type { Conversation, ModelFailure, ModelRequest } from '../language-model.ts';
import { countConversation, countPrompt } from './count-prompt.ts';
import { roomOf, type Window } from './fit-prompt.ts';

/** Servers that report less or more than this for a token of the estimate are not believed. */
const believed = { least: 0.4, most: 1.6 };

/** The estimate is from above: a text has this part of it at the least. */
const notCounted = { scale: 1, leastScale: 0.6 };

/** Returns the window with what the model's server has counted for the prompt before, if it has reported that. */
export function windowOf(tokens: number, last: { sent: () => ModelRequest; usage: TokenUsage | null } | null): Window {
  const reported = last?.usage?.promptTokens ?? 0;
  if (!last || reported === 0) return { tokens, ...notCounted };
  const counted = reported / countPrompt(last.sent());
  if (counted < believed.least) return { tokens, ...notCounted };
  const scale = Math.min(counted, believed.most);
  return { tokens, scale, leastScale: scale };
}

/** Returns the window that a refusal has told, with what the server has counted for the refused prompt. A token is never taken for less than before. */
export function windowOfRefusal({ needed, window }: { needed: number; window: number }, refused: ModelRequest): Window {
  const scale = Math.min(Math.max(needed / countPrompt(refused), 1), believed.most);
  return { tokens: window, scale, leastScale: scale };
}

/** Returns why a conversation that cannot be shortened is not sent: it is certainly longer than the window. Null for one that may fit. */
export function failureOfWindow(conversation: Conversation, tokens: number | null | undefined): ModelFailure | null {
  if (!tokens) return null;
  const counted = countConversation(conversation);
  const room = roomOf(conversation, { tokens, scale: notCounted.leastScale, leastScale: notCounted.leastScale });
  if (counted <= room) return null;
  return { code: 'prompt_over_window', transient: false, tokens: { needed: counted + (conversation.maxTokens ?? 0), window: tokens } };
}
