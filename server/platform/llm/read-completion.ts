import { z } from 'zod';
import type { TokenUsage } from '../../../contract/common.ts';
import type { Answer } from '../egress/egress.ts';
import { createAnswerText } from './answer-text.ts';
import { parseBoundedJson } from './bounded-json.ts';
import { failureOfFinish, truncatedFailure } from './classify-failure.ts';
import type { ModelFailure, ModelOutcome, OnText } from './language-model.ts';
import { readEvents } from './read-events.ts';
import { tokenCount, toTokenUsage } from './token-count.ts';

const piece = z.object({ content: z.string().nullish(), reasoning_content: z.string().nullish(), reasoning: z.string().nullish() });
const usage = z.object({ prompt_tokens: tokenCount, completion_tokens: tokenCount });

/** The fields that are read of a piece of a completion, or of a whole one (`message`). */
const completion = z.object({
  choices: z.array(z.object({ delta: piece.nullish(), message: piece.nullish(), finish_reason: z.string().nullish() })).nullish(),
  usage: usage.nullish(),
  error: z.unknown().optional(),
});

/** Reasons with which servers mark a withheld answer. */
const refusals = new Set(['content_filter', 'blacklist', 'ALTERNATIVE_STATUS_CONTENT_FILTER']);

/**
 * Reads one chat completion, streamed or whole. `failureOf` interprets an error inside the stream. Throws the errors of the
 * connection, and for malformed answers.
 */
export async function readCompletion(answer: Answer, onText: OnText, failureOf: (said: unknown) => ModelFailure): Promise<ModelOutcome> {
  const written = createAnswerText(onText);
  let spent: z.infer<typeof usage> | null = null;
  let finished: string | null = null;
  for await (const data of eventsOf(answer)) {
    const { choices, usage: latest, error } = completion.parse(data);
    if (error != null) return { ok: false, error: failureOf(error) };
    spent = latest ?? spent;
    const choice = choices?.[0];
    finished = choice?.finish_reason ?? finished;
    const more = choice?.delta ?? choice?.message;
    written.add(more?.content, more?.reasoning_content ?? more?.reasoning);
  }
  if (finished === null) return { ok: false, error: truncatedFailure(written.text) };
  const failure = failureOfFinish(refusals.has(finished) ? 'content-filter' : finished, written.text);
  if (failure) return { ok: false, error: failure };
  const finish = finished === 'length' ? 'length' : 'stop';
  return { ok: true, value: { text: written.text, thoughts: written.reasoning.trim() || null, finish, usage: spent && toUsage(spent) } };
}

/** Some servers ignore `stream: true` and answer with one whole completion, and some stream without the right content type. */
async function* eventsOf(answer: Answer): AsyncGenerator<unknown> {
  if (answer.headers['content-type']?.includes('text/event-stream')) return yield* readEvents(answer.body);
  const body = await answer.text();
  if (/^data:/m.test(body)) return yield* readEvents([Buffer.from(body)]);
  if (body.trim() !== '') yield whole.parse(parseBoundedJson(body));
}

/** A whole completion names its finish reason, or has ended by being complete. */
const whole = z.object({
  choices: z
    .tuple([
      z.object({
        message: z.looseObject({ content: z.string() }),
        finish_reason: z
          .string()
          .nullish()
          .transform((reason) => reason ?? 'stop'),
      }),
    ])
    .rest(z.unknown()),
  usage: z.unknown().optional(),
});

function toUsage({ prompt_tokens, completion_tokens }: z.infer<typeof usage>): TokenUsage | null {
  if (prompt_tokens == null && completion_tokens == null) return null;
  return toTokenUsage(prompt_tokens ?? 0, completion_tokens ?? 0);
}
