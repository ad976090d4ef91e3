import type { TokenUsage } from '../../../../contract/common.ts';
import type { Conversation, LanguageModel, ModelFailure, ModelRequest } from '../language-model.ts';
import { imagesOf, lengthOfRequest } from '../prompt-length.ts';
import { tokensPerImage } from '../worst-case.ts';
import { countConversation, countPrompt } from './count-prompt.ts';
import { answerBeside, roomOf, type Window } from './fit-prompt.ts';

/** Servers that report less or more than this for a token of the estimate are not believed. */
const believed = { least: 0.4, most: 1.6 };

/** The estimate is from above: a text has this part of it at the least. */
const notCounted = { scale: 1, leastScale: 0.6 };

/** A model's window (tokens), null where it is not known. `isLoaded`: its server has told it as the loaded one. */
type KnownWindow = { tokens: number | null; isLoaded: boolean };

/** Returns the window that a model is loaded with, else the one that is known: that may have been read while it was loaded with another. */
export async function readWindow(
  { contextWindow = null, readWindow }: Pick<LanguageModel, 'contextWindow' | 'readWindow'>,
  signal: AbortSignal,
): Promise<KnownWindow> {
  const loaded = (await readWindow?.(signal)) ?? null;
  return { tokens: loaded ?? contextWindow, isLoaded: loaded !== null };
}

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

/** Fewer tokens than this are no count: servers without one report a small number. */
const leastCounted = 64;
/** The tokens that must be missing. */
const leastMissing = 1_000;
/** A prompt has a token for at most this many characters, in whichever language: a server that counts more has read it. */
const charactersOfToken = 5;

/**
 * Whether a server has read a part of a prompt only, without a word: it has counted far fewer tokens than the estimate has, as Ollama does whose window is too small.
 */
export function isPartlyRead(request: ModelRequest, usage: TokenUsage | null): boolean {
  const counted = usage?.promptTokens ?? 0;
  if (counted < leastCounted || counted * charactersOfToken > lengthOfRequest(request)) return false;
  // Servers count an image as anything between its size and nothing.
  const estimated = countPrompt(request) - tokensPerImage * imagesOf(request).length;
  return counted < estimated * believed.least && estimated - counted >= leastMissing;
}

/** The part of a refused prompt that is sent instead, where its server does not tell its window. */
const untoldPart = 0.75;

/** Returns a window that has no room for a refused prompt, for a server that does not tell its own: three quarters of the prompt fit, beside the answer. */
export function windowOfUntold(refused: ModelRequest): Window {
  const room = Math.floor(countPrompt(refused) * untoldPart);
  return { tokens: room + answerBeside(refused, room), scale: 1, leastScale: 1, isGuessed: true };
}

/** Returns why a conversation that cannot be shortened is not sent: it is certainly longer than the window. Null for one that may fit. */
export function failureOfWindow(conversation: Conversation, tokens: number | null | undefined, isLoaded = false): ModelFailure | null {
  if (!tokens) return null;
  const counted = countConversation(conversation);
  const room = roomOf(conversation, { tokens, scale: notCounted.leastScale, leastScale: notCounted.leastScale });
  if (counted <= room) return null;
  return {
    code: 'prompt_over_window',
    transient: false,
    tokens: { needed: counted + (conversation.maxTokens ?? 0), window: tokens, isLoaded },
  };
}
