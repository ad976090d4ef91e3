import { z } from 'zod';
import type { TokenUsage } from '../../../../contract/common.ts';
import type { Answer } from '../../egress/egress.ts';
import { createAnswerText } from '../answer-text.ts';
import { parseBoundedJson } from '../bounded-json.ts';
import { failureOfFinish, truncatedFailure } from '../classify-failure.ts';
import { HttpFailure } from '../http-failure.ts';
import type { AnswerReading, Hold, ModelFailure, ModelOutcome } from '../language-model.ts';
import { readEvents } from '../read-events.ts';
import { tokenCount, toTokenUsage } from '../token-count.ts';
import { createToolCalls } from '../tool-calls.ts';

const usage = z.object({
  input_tokens: tokenCount,
  cache_creation_input_tokens: tokenCount,
  cache_read_input_tokens: tokenCount,
  output_tokens: tokenCount,
});
type Usage = z.infer<typeof usage>;

const block = z.object({
  type: z.string().nullish(),
  text: z.string().nullish(),
  thinking: z.string().nullish(),
  /** Of a call: whole in a message without a stream, else empty and followed by pieces. */
  id: z.string().nullish(),
  name: z.string().nullish(),
  input: z.unknown().optional(),
  partial_json: z.string().nullish(),
});

/** The fields of an event that are read; other fields and other types of events are ignored. */
const event = z.object({
  type: z.string(),
  message: z.object({ usage: usage.nullish() }).nullish(),
  index: z.number().nullish(),
  content_block: block.nullish(),
  delta: block.extend({ stop_reason: z.string().nullish() }).nullish(),
  usage: usage.nullish(),
  error: z.object({ type: z.string().nullish() }).nullish(),
});

/**
 * Reads one answer of the Messages API, streamed or whole. `failureOf` interprets an error inside the stream, an error of the connection, and a
 * malformed answer. A failure says what the call has used.
 */
export async function readMessage(answer: Answer, { onText, hold, failureOf }: AnswerReading): Promise<ModelOutcome> {
  const written = createAnswerText(onText, hold, answer.scrubber);
  const collected = createToolCalls(hold);
  let spent: Usage = {};
  let stopReason: string | null = null;
  const failed = (error: ModelFailure): ModelOutcome => {
    const used = { reported: toUsage(spent), isWhole: stopReason !== null };
    return { ok: false, error: { ...error, used } };
  };
  try {
    for await (const data of eventsOf(answer, hold)) {
      const { type, message, index, content_block: begun, delta, usage: latest, error } = event.parse(data);
      if (type === 'error') throw new HttpFailure(statusOfError(error?.type), JSON.stringify(data));
      spent = { ...spent, ...message?.usage, ...latest };
      stopReason = delta?.stop_reason ?? stopReason;
      const more = begun ?? delta;
      written.add(more?.text, more?.thinking);
      if (begun?.type === 'tool_use') collected.add({ index: index ?? 0, id: begun.id, name: begun.name, arguments: filled(begun.input) });
      if (delta?.partial_json) collected.add({ index: index ?? 0, arguments: delta.partial_json });
      if (type === 'message_stop') break;
    }
  } catch (error) {
    return failed(failureOf(error));
  }
  written.end();
  if (stopReason === null) return failed(truncatedFailure(written.text));
  const calls = answer.scrubber.value(collected.finish());
  const failure = failureOfFinish(stopReason === 'refusal' ? 'content-filter' : stopReason, written.text, calls.length > 0);
  if (failure) return failed(failure);
  const finish = stopReason === 'max_tokens' ? 'length' : 'stop';
  const answered = { text: written.text, thoughts: written.reasoning.trim() || null, finish, usage: toUsage(spent) } as const;
  return { ok: true, value: calls.length > 0 ? { ...answered, calls } : answered };
}

/** The input at the beginning of a streamed call is an empty object, which the pieces replace. */
function filled(input: unknown): unknown {
  return typeof input === 'object' && input !== null && Object.keys(input).length === 0 ? undefined : input;
}

const wholeMessage = z.object({ content: z.array(block), stop_reason: z.string(), usage: usage.nullish() });

/** Converts a whole message, from a gateway that ignores `stream: true`, into events. */
async function* eventsOf(answer: Answer, hold: Hold | undefined): AsyncGenerator<unknown> {
  const streamed = answer.headers['content-type']?.includes('text/event-stream');
  if (streamed) return yield* readEvents(answer.body, hold);
  const body = await answer.text(hold);
  if (body.trim() === '') return;
  const { content, stop_reason, usage } = wholeMessage.parse(parseBoundedJson(body));
  for (const [index, part] of content.entries()) yield { type: 'content_block_start', index, content_block: part };
  yield { type: 'message_delta', delta: { stop_reason }, usage };
}

/** Returns the HTTP status that belongs to an error in the middle of a stream. */
function statusOfError(type: string | null | undefined): number {
  switch (type) {
    case 'invalid_request_error':
    case 'billing_error':
      return 400;
    case 'authentication_error':
      return 401;
    case 'permission_error':
      return 403;
    case 'not_found_error':
      return 404;
    case 'rate_limit_error':
      return 429;
    case 'overloaded_error':
      return 529;
    default:
      return 500;
  }
}

function toUsage(spent: Usage): TokenUsage | null {
  if (spent.input_tokens == null && spent.output_tokens == null) return null;
  const promptTokens = (spent.input_tokens ?? 0) + (spent.cache_creation_input_tokens ?? 0) + (spent.cache_read_input_tokens ?? 0);
  return toTokenUsage(promptTokens, spent.output_tokens ?? 0, { cached: spent.cache_read_input_tokens });
}
