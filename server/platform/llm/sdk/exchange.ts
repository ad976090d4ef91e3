import type { JSONObject, LanguageModelV4, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { z } from 'zod';
import type { TokenUsage } from '../../../../contract/common.ts';
import { createScrubber, type Scrubber } from '../../egress/scrubber.ts';
import { createAnswerText } from '../answer-text.ts';
import { HttpFailure } from '../http-failure.ts';
import type { Conversation, Hold, OnText } from '../language-model.ts';

export type Fields = Record<string, z.core.util.JSONType>;

/** What one call has shown beside the parts that the library reads. */
export type Exchange = {
  /** As far as the server has counted. */
  usage: TokenUsage | null;
  /** The server has said how its answer ended. */
  isWhole: boolean;
  /** The stream has ended with the marker of its protocol. */
  isMarked: boolean;
  /** Why the answer ended early. The library would drop text that had arrived before an error. */
  error: unknown;
  /** Fields of the message, and of each call in order, that the server wants back. Of chat completions. */
  fields: Fields;
  fieldsOfCalls: (Fields | undefined)[];
  scrubber: Scrubber;
  /** The text so far. Chat completions write it themselves: their library takes six times as long for a word. */
  written: ReturnType<typeof createAnswerText>;
};

export function newExchange(onText: OnText, hold: Hold | undefined): Exchange {
  return {
    usage: null,
    isWhole: false,
    isMarked: false,
    error: null,
    fields: {},
    fieldsOfCalls: [],
    scrubber: createScrubber([]),
    written: createAnswerText(onText, hold),
  };
}

/** What a provider of the library is opened with. Keys are added by the `fetch`. */
export type Opening = { baseURL: string; model: string; fetch: typeof fetch };

/** A protocol of model servers. */
export type Protocol = {
  /** Loads the library of the protocol at its first use. */
  open: (opening: Opening) => Promise<LanguageModelV4>;
  /** Options for its calls. `cacheKey`: see `Conversation`. */
  options: (asked: Pick<Conversation, 'cacheKey'>) => Record<string, JSONObject>;
  /** Marks the borders up to which its server caches a prompt, where it wants to be told: `stable` is the length of the first text's beginning. */
  markBorders?: (prompt: LanguageModelV4Prompt, stable: number) => LanguageModelV4Prompt;
  /** Makes events of a body that has come whole. */
  eventsOf: (whole: unknown) => Iterable<unknown>;
  /**
   * Returns the events without what the library cannot read, and notes usage and end. An error in the stream is thrown. A consumer that
   * stops early ends the call.
   */
  clean: (events: AsyncIterable<unknown>, exchange: Exchange, hold?: Hold) => AsyncGenerator<unknown>;
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
