import type { TokenUsage } from '../../../../contract/common.ts';
import type { ModelRequest } from '../language-model.ts';
import { countPrompt } from './count-prompt.ts';
import type { Window } from './fit-prompt.ts';

/** Servers that report less or more than this for a token of the estimate are not believed. */
const believed = { least: 0.4, most: 1.6 };

/** Returns the window with what the model's server has counted for the prompt before, if it has reported that. */
export function windowOf(tokens: number, last: { sent: () => ModelRequest; usage: TokenUsage | null } | null): Window {
  const reported = last?.usage?.promptTokens ?? 0;
  if (!last || reported === 0) return { tokens, scale: 1 };
  const scale = reported / countPrompt(last.sent());
  return { tokens, scale: scale < believed.least ? 1 : Math.min(scale, believed.most) };
}

/** Returns the window that a refusal has told, with what the server has counted for the refused prompt. A token is never taken for less than before. */
export function windowOfRefusal({ needed, window }: { needed: number; window: number }, refused: ModelRequest): Window {
  const scale = needed / countPrompt(refused);
  return { tokens: window, scale: Math.min(Math.max(scale, 1), believed.most) };
}
