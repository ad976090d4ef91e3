import type { JSONObject, LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { z } from 'zod';
import { HttpFailure } from '../http-failure.ts';
import type { Conversation } from '../language-model.ts';
import type { ReceivedAnswer } from './received-answer.ts';

export type Fields = Record<string, z.core.util.JSONType>;

/** A call as its provider's library writes it. `path`: below the address of the API. Keys are added later. */
export type ProtocolRequest = {
  path: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body: Record<string, unknown>;
};

/** Reads one answer into `ReceivedAnswer`. Errors in the stream are thrown. */
export type AnswerReader = {
  /** Takes an event. Returns its text where it is a piece of text and nothing else, so that the next ones like it go to `addText`. */
  take: (event: unknown) => string | null;
  addText: (text: string) => void;
  /** The stream has ended. */
  end?: () => void;
};

/** A protocol of model servers. */
export type Protocol = {
  /**
   * Makes a request by the provider's library, which is loaded at its first use. The library does not read the answer: its streams and schemas took
   * ten times as long as the rest of a call.
   */
  request: (model: string, options: LanguageModelV4CallOptions) => Promise<ProtocolRequest>;
  /** Options of the library for calls. `cacheKey`: see `Conversation`. */
  options: (asked: Pick<Conversation, 'cacheKey'>) => Record<string, JSONObject>;
  /** Marks the borders up to which its server caches a prompt, where it wants to be told: `stable` is the length of the first text's beginning. */
  markBorders?: (prompt: LanguageModelV4Prompt, stable: number) => LanguageModelV4Prompt;
  /** Makes events of a body that has come whole. */
  eventsOf: (whole: unknown) => Iterable<unknown>;
  /** Begins to read an answer to a request with these options. */
  read: (answer: ReceivedAnswer, options: LanguageModelV4CallOptions) => AnswerReader;
};

/** Throws the error that an event or a body reports, in whichever form of the protocols. */
export function refuseError(data: unknown): void {
  if (typeof data !== 'object' || data === null) return;
  const { type, object, choices, error, response, message, detail, code } = data as Record<string, unknown> & {
    response?: { error?: unknown };
  };
  const isError = type === 'error' || object === 'error' || (!choices && typeof message === 'string') || (!choices && detail);
  const told = error || response?.error || (isError ? { message, detail, code } : null);
  if (!told || (typeof told === 'object' && Object.keys(told).length === 0)) return;
  const about = (typeof told === 'object' ? told : {}) as Record<string, unknown>;
  throw new HttpFailure(statusOf([about.code, about.status, about.type, code]), JSON.stringify(about.detail ? about : { error: told }));
}

const statuses: Record<string, number> = {
  invalid_request_error: 400,
  invalid_prompt: 400,
  context_length_exceeded: 400,
  content_policy_violation: 400,
  request_too_large: 413,
  FAILED_PRECONDITION: 400,
  billing_error: 402,
  insufficient_quota: 402,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  overloaded_error: 529,
  INVALID_ARGUMENT: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  RESOURCE_EXHAUSTED: 429,
  UNAVAILABLE: 503,
};

/** Returns the HTTP status that belongs to an error in an answer that began well. */
function statusOf(words: readonly unknown[]): number {
  for (const word of words) {
    const number = Number(word);
    if (Number.isInteger(number) && number >= 400 && number < 600) return number;
    const known = typeof word === 'string' ? statuses[word] : undefined;
    if (known !== undefined) return known;
  }
  return 500;
}
