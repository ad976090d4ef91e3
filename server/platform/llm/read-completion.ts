import { z } from 'zod';
import type { TokenUsage } from '../../../contract/common.ts';
import type { Answer } from '../egress/egress.ts';
import { createAnswerText } from './answer-text.ts';
import { parseBoundedJson } from './bounded-json.ts';
import { failureOfFinish, truncatedFailure } from './classify-failure.ts';
import type { AnswerReading, Hold, ModelFailure, ModelOutcome } from './language-model.ts';
import { readEvents } from './read-events.ts';
import { tokenCount, toTokenUsage } from './token-count.ts';
import { createToolCalls } from './tool-calls.ts';

/** Arguments are text, or an object from servers that send whole calls. */
const called = z.object({ name: z.string().nullish(), arguments: z.unknown() });
const piece = z.object({
  content: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish(),
  tool_calls: z.array(z.object({ index: z.number().nullish(), id: z.string().nullish(), function: called.nullish() })).nullish(),
  /** The call of a server that knows tools as functions, and the id that it wants back with the result. */
  function_call: called.nullish(),
  functions_state_id: z.string().nullish(),
});
const usage = z.object({
  prompt_tokens: tokenCount,
  completion_tokens: tokenCount,
  prompt_tokens_details: z.object({ cached_tokens: tokenCount }).nullish().catch(null),
  completion_tokens_details: z.object({ reasoning_tokens: tokenCount }).nullish().catch(null),
  /** GigaChat counts cached input apart from the prompt. */
  precached_prompt_tokens: tokenCount,
});

/** The fields that are read of a piece of a completion, or of a whole one (`message`). */
const completion = z.object({
  choices: z.array(z.object({ delta: piece.nullish(), message: piece.nullish(), finish_reason: z.string().nullish() })).nullish(),
  usage: usage.nullish(),
  error: z.unknown().optional(),
});

/** Reasons with which servers mark a withheld answer. */
const refusals = new Set(['content_filter', 'blacklist', 'ALTERNATIVE_STATUS_CONTENT_FILTER']);

/**
 * Reads one chat completion, streamed or whole. `failureOf` interprets an error inside the stream, an error of the connection, and a malformed
 * answer. A failure says what the call has used.
 */
export async function readCompletion(answer: Answer, { onText, hold, failureOf }: AnswerReading): Promise<ModelOutcome> {
  const written = createAnswerText(onText, hold, answer.scrubber);
  const collected = createToolCalls(hold);
  let spent: z.infer<typeof usage> | null = null;
  let finished: string | null = null;
  const failed = (error: ModelFailure): ModelOutcome => {
    const used = { reported: spent && toUsage(spent), isWhole: finished !== null };
    return { ok: false, error: { ...error, used } };
  };
  try {
    for await (const data of eventsOf(answer, hold)) {
      const { choices, usage: latest, error } = completion.parse(data);
      spent = latest ?? spent;
      if (error != null) return failed(failureOf(error));
      const choice = choices?.[0];
      finished = choice?.finish_reason ?? finished;
      const more = choice?.delta ?? choice?.message;
      written.add(more?.content, more?.reasoning_content ?? more?.reasoning);
      for (const [position, call] of (more?.tool_calls ?? []).entries())
        collected.add({ index: call.index ?? position, id: call.id, ...call.function });
      if (more?.function_call) collected.add({ index: 0, id: more.functions_state_id, ...more.function_call });
    }
  } catch (error) {
    return failed(failureOf(error));
  }
  written.end();
  if (finished === null) return failed(truncatedFailure(written.text));
  const calls = answer.scrubber.value(collected.finish());
  const failure = failureOfFinish(refusals.has(finished) ? 'content-filter' : finished, written.text, calls.length > 0);
  if (failure) return failed(failure);
  const finish = finished === 'length' ? 'length' : 'stop';
  const thoughts = written.reasoning.trim() || null;
  const answered = { text: written.text, thoughts, finish, usage: spent && toUsage(spent) } as const;
  return { ok: true, value: calls.length > 0 ? { ...answered, calls } : answered };
}

/** Some servers ignore `stream: true` and answer with one whole completion, and some stream without the right content type. */
async function* eventsOf(answer: Answer, hold: Hold | undefined): AsyncGenerator<unknown> {
  if (answer.headers['content-type']?.includes('text/event-stream')) return yield* readEvents(answer.body, hold);
  const body = await answer.text(hold);
  if (/^data:/m.test(body)) return yield* readEvents([Buffer.from(body)]);
  if (body.trim() !== '') yield whole.parse(parseBoundedJson(body));
}

/** A whole completion names its finish reason, or has ended by being complete. */
const whole = z.object({
  choices: z
    .tuple([
      z.object({
        message: z
          .looseObject({ content: z.string().nullish(), tool_calls: z.unknown().optional(), function_call: z.unknown().optional() })
          .refine(({ content, tool_calls, function_call }) => typeof content === 'string' || tool_calls || function_call),
        finish_reason: z
          .string()
          .nullish()
          .transform((reason) => reason ?? 'stop'),
      }),
    ])
    .rest(z.unknown()),
  usage: z.unknown().optional(),
});

function toUsage(spent: z.infer<typeof usage>): TokenUsage | null {
  const { prompt_tokens, completion_tokens, prompt_tokens_details, completion_tokens_details, precached_prompt_tokens } = spent;
  if (prompt_tokens == null && completion_tokens == null) return null;
  return toTokenUsage((prompt_tokens ?? 0) + (precached_prompt_tokens ?? 0), completion_tokens ?? 0, {
    cached: prompt_tokens_details?.cached_tokens ?? precached_prompt_tokens,
    reasoning: completion_tokens_details?.reasoning_tokens,
  });
}
