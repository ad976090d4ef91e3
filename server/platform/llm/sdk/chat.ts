import type { OpenAICompatibleChatLanguageModel } from '@ai-sdk/openai-compatible';
import { z } from 'zod';
import type { TokenUsage } from '../../../../contract/common.ts';
import { ResponseTooLong } from '../../egress/egress.ts';
import type { ModelToolCall } from '../language-model.ts';
import { tokenCount, toTokenUsage } from '../token-count.ts';
import { createToolCalls, maxReadBytes } from '../tool-calls.ts';
import { type AnswerReader, type Fields, type Protocol, refuseError } from './protocol.ts';
import type { Ending, ReceivedAnswer } from './received-answer.ts';

const fields = z.record(z.string(), z.json()).nullish().catch(null);
/** Arguments are text, or an object from servers that send whole calls. */
const called = z.object({ name: z.string().nullish(), arguments: z.unknown().optional() });
const call = z.object({ index: z.number().nullish(), id: z.string().nullish(), function: called.nullish(), extra_content: fields });
const text = z.string().nullish();
/** Parts of content. Those of unknown kinds have neither text nor thinking. */
const part = z.looseObject({ text: text.catch(null), thinking: z.union([z.string(), z.array(z.object({ text }))]).nullish() });
const message = z.object({
  content: z.union([z.string(), z.array(part)]).nullish(),
  reasoning_content: text,
  reasoning: text,
  reasoning_details: z.array(z.record(z.string(), z.json())).nullish().catch(null),
  refusal: text.catch(null),
  tool_calls: z.array(call).nullish(),
  /** The call of a server that knows tools as functions, and the id that it wants back with the result. */
  function_call: called.nullish(),
  functions_state_id: text,
});
const dollars = z.number().min(0).max(1_000_000).nullish().catch(null);
const usage = z.object({
  prompt_tokens: tokenCount,
  completion_tokens: tokenCount,
  total_tokens: tokenCount,
  prompt_tokens_details: z.object({ cached_tokens: tokenCount, cache_write_tokens: tokenCount }).nullish().catch(null),
  completion_tokens_details: z.object({ reasoning_tokens: tokenCount }).nullish().catch(null),
  /** DeepSeek counts cached input in a field of its own; GigaChat counts it apart from the prompt. */
  prompt_cache_hit_tokens: tokenCount,
  /** OpenRouter's charge in dollars. */
  cost: dollars,
  /** With a person's own key of the provider behind it, OpenRouter charges its fee alone: the provider bills the rest. */
  is_byok: z.unknown().optional(),
  cost_details: z.object({ upstream_inference_cost: dollars }).nullish().catch(null),
  precached_prompt_tokens: tokenCount,
});
const chunk = z.object({
  choices: z
    .array(
      z.object({
        index: z.number().nullish(),
        delta: message.nullish(),
        message: message.nullish(),
        finish_reason: text,
        /** OpenRouter's word of the provider behind it. */
        native_finish_reason: z.unknown().optional(),
        /** Azure's categories, read where there are any (`withheldBy`). */
        content_filter_results: z.unknown().optional(),
      }),
    )
    .nullish(),
  usage: usage.nullish().catch(null),
});

/** Each category with whether it has withheld the answer. */
const categories = z.record(z.string(), z.object({ filtered: z.boolean().catch(false) }));

type Choice = NonNullable<z.infer<typeof chunk>['choices']>[number];

/** The words of servers for an answer that was withheld, that its limit has cut off, and that has failed. */
const finishes: Record<string, string> = {
  blacklist: 'content_filter',
  ALTERNATIVE_STATUS_CONTENT_FILTER: 'content_filter',
  sensitive: 'content_filter',
  refusal: 'content_filter',
  max_tokens: 'length',
  MAX_TOKENS: 'length',
  model_context_window_exceeded: 'length',
  model_length: 'length',
  interrupted: 'error',
  abort: 'error',
  insufficient_system_resource: 'error',
};

const endings: Record<string, Ending> = { content_filter: 'declined', length: 'length', error: 'failed', bad_call: 'badCall' };
/** Gemini's word for a call that it could not read, also behind its compatible address and behind OpenRouter. */
const badCall = /MALFORMED_FUNCTION_CALL|UNEXPECTED_TOOL_CALL/;

/** Chat completions, of OpenAI and of all servers that have copied them, each with deviations of its own. */
export const chat: Protocol = {
  options: () => ({}),
  async request(model, options) {
    const { body } = await (await requestWriter()).prepareRequest(options);
    return { path: '/chat/completions', body: { ...body, model, stream: true, stream_options: { include_usage: true } } };
  },
  *eventsOf(body) {
    refuseError(body);
    yield whole.parse(body);
  },
  read: (answer) => new ChatReader(answer),
};

let writer: OpenAICompatibleChatLanguageModel | null = null;

/** Returns one model of the library for all names: it makes schemas for each, which cost more than a call. It never sends a request. */
async function requestWriter(): Promise<OpenAICompatibleChatLanguageModel> {
  const { OpenAICompatibleChatLanguageModel } = await import('@ai-sdk/openai-compatible');
  writer ??= new OpenAICompatibleChatLanguageModel('', { provider: 'compatible.chat', url: ({ path }) => path });
  return writer;
}

class ChatReader implements AnswerReader {
  readonly #answer: ReceivedAnswer;
  readonly #calls = createToolCalls();
  readonly #parted: Parted = { thinking: '', text: '' };
  #finished = '';
  #isRefused = false;
  /** The first choice is the answer. Others are kept until it begins: a server may number its only one otherwise. */
  #hasFirst = false;
  #others: Choice[] | null = null;
  #othersLength = 0;

  constructor(answer: ReceivedAnswer) {
    this.#answer = answer;
  }

  take(data: unknown): string | null {
    const plain = plainText(data);
    if (plain !== null) {
      this.#begin();
      this.addText(plain);
      return plain;
    }
    refuseError(data);
    const { choices, usage: latest } = chunk.parse(data);
    if (latest) this.#answer.usage = usageOf(latest) ?? this.#answer.usage;
    const charge = latest ? chargeOf(latest) : null;
    if (charge !== null) this.#answer.bill(charge);
    for (const choice of choices ?? []) {
      if ((choice.index ?? 0) === 0) this.#begin();
      else if (!this.#hasFirst) this.#keep(choice);
      if ((choice.index ?? 0) === 0) this.#take(choice);
    }
    return null;
  }

  #keep(choice: Choice): void {
    this.#others ??= [];
    this.#others.push(choice);
    this.#othersLength += JSON.stringify(choice).length;
    if (this.#othersLength > maxReadBytes) throw new ResponseTooLong();
  }

  #begin(): void {
    this.#hasFirst = true;
    this.#others = null;
  }

  #take({ delta, message: whole, finish_reason: finish, native_finish_reason: native, content_filter_results: filters }: Choice): void {
    this.#finished = finish || this.#finished;
    if (typeof native === 'string' && badCall.test(native)) this.#finished = native;
    if (filters) this.#answer.explanation = withheldBy(filters) || this.#answer.explanation;
    const more = delta ?? whole;
    if (more) this.#add(more);
  }

  addText(text: string): void {
    this.#parted.text += text;
    this.#answer.addText(text, '');
  }

  #add(more: Message): void {
    for (const [position, { index, id, function: named, extra_content: extra }] of (more.tool_calls ?? []).entries()) {
      const at = this.#calls.add({ index: index ?? position, id, ...named });
      if (extra) this.#answer.fieldsOfCalls[at] = { extra_content: extra };
    }
    if (more.function_call) this.#calls.add({ index: 0, id: more.functions_state_id, ...more.function_call });
    const { text: written, thoughts } = textsOf(more, this.#answer.fields, this.#parted);
    this.#answer.addText(written + (more.refusal ?? ''), thoughts);
    this.#isRefused ||= Boolean(more.refusal);
  }

  /** A call without a name calls nothing, and no server takes it back. */
  #addCalls(calls: readonly ModelToolCall[]): void {
    const answer = this.#answer;
    const fields = answer.fieldsOfCalls;
    if (fields.length > 0) answer.fieldsOfCalls = fields.filter((_one, at) => calls[at]?.name.trim() !== '');
    for (const { id, name, arguments: written } of calls) if (name.trim() !== '') answer.addToCall(id, name, written);
  }

  end(): void {
    const answer = this.#answer;
    if (this.#others) {
      const lowest = Math.min(...this.#others.map(({ index }) => index ?? 0));
      for (const choice of this.#others) if (choice.index === lowest) this.#take(choice);
    }
    const calls = this.#calls.finish(true);
    // A server that ends properly has told everything, though not why it stopped.
    if (answer.isMarked) this.#finished ||= calls.length > 0 ? 'tool_calls' : 'stop';
    if (this.#parted.thinking !== '') answer.fields.content = contentOf(this.#parted);
    answer.isWhole = this.#finished !== '';
    if (!answer.isWhole) return;
    this.#addCalls(calls);
    const known = badCall.test(this.#finished) ? 'bad_call' : (finishes[this.#finished] ?? this.#finished);
    const word = this.#isRefused ? 'content_filter' : known;
    answer.finish(endings[word] ?? 'stop', word === 'bad_call' ? this.#finished : word);
  }
}

type Piece = { choices?: { index?: unknown; delta?: Record<string, unknown> | null; message?: unknown; finish_reason?: unknown }[] } | null;

/** Returns the text of a usual piece: one choice with a text alone. Most pieces are that, and a schema would take most of their time. */
function plainText(data: unknown): string | null {
  const { choices, ...about } = Object(data) as NonNullable<Piece> & { usage?: unknown; error?: unknown };
  if (about.usage != null || about.error != null || !Array.isArray(choices) || choices.length !== 1) return null;
  const { index, delta, message, finish_reason: finish } = choices[0] ?? {};
  if (index !== 0 || message != null || finish || typeof delta !== 'object' || delta === null) return null;
  for (const name in delta) if (name !== 'content' && name !== 'role') return null;
  return typeof delta.content === 'string' ? delta.content : null;
}

type Message = z.infer<typeof message>;

/** Returns text and reasoning of a piece, whatever their form, and collects what the server wants back as it came. */
function textsOf({ content, reasoning_content, reasoning, reasoning_details }: Message, kept: Fields, parted: Parted) {
  const parts = typeof content === 'string' ? [{ text: content }] : (content ?? []);
  const written = parts.map((one) => one.text ?? '').join('');
  const thought = parts.flatMap(({ thinking }: z.infer<typeof part>) =>
    typeof thinking === 'string' ? [{ text: thinking }] : (thinking ?? []),
  );
  const thoughts = thought.map((one) => one.text ?? '').join('');
  parted.thinking += thoughts;
  parted.text += written;
  if (reasoning_content) kept.reasoning_content = `${kept.reasoning_content ?? ''}${reasoning_content}`;
  else if (reasoning_details) kept.reasoning_details = joined(kept.reasoning_details as Fields[] | undefined, reasoning_details);
  else if (reasoning) kept.reasoning = `${kept.reasoning ?? ''}${reasoning}`;
  return { text: written, thoughts: (reasoning_content || reasoning || '') + thoughts };
}

/** Appends pieces of details, each to the one before with the same place and kind. */
function joined(known: Fields[] = [], pieces: readonly Fields[]): Fields[] {
  for (const piece of pieces) {
    const last = known.at(-1);
    if (!last || last.type !== piece.type || last.index !== piece.index) known.push({ ...piece });
    else
      for (const [name, value] of Object.entries(piece))
        last[name] = /^(?:text|summary|data)$/.test(name) ? `${last[name] ?? ''}${value}` : value;
  }
  return known;
}

type Parted = { thinking: string; text: string };

/** Content in parts, as Mistral wants its thinking back. */
function contentOf({ thinking, text: written }: Parted): Fields[] {
  const thought = { type: 'thinking', thinking: [{ type: 'text', text: thinking }] };
  return written === '' ? [thought] : [thought, { type: 'text', text: written }];
}

function usageOf(spent: z.infer<typeof usage>): TokenUsage | null {
  const { prompt_tokens: prompt, completion_tokens: completion, precached_prompt_tokens: precached } = spent;
  if (prompt == null && completion == null) return null;
  const reasoning = spent.completion_tokens_details?.reasoning_tokens ?? 0;
  // xAI counts reasoning apart from the completion: its total tells.
  const isApart = reasoning > 0 && spent.total_tokens === (prompt ?? 0) + (completion ?? 0) + reasoning;
  return toTokenUsage((prompt ?? 0) + (precached ?? 0), (completion ?? 0) + (isApart ? reasoning : 0), {
    cached: spent.prompt_tokens_details?.cached_tokens ?? spent.prompt_cache_hit_tokens ?? precached,
    cacheWrite: spent.prompt_tokens_details?.cache_write_tokens,
    reasoning,
  });
}

/** A whole completion names its finish reason, or has ended by being complete. Its first choice is the answer. */
const whole = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        index: z.number().nullish().catch(null),
        message: message.nullish(),
        finish_reason: text.transform((reason) => reason || 'stop'),
      }),
    )
    .transform((choices) => choices.toSorted((one, other) => (one.index ?? 0) - (other.index ?? 0)).slice(0, 1))
    .refine(([first]) => {
      const { content, refusal, tool_calls, function_call } = first?.message ?? {};
      return content != null || refusal || tool_calls || function_call;
    }),
});

/** What a call has cost in dollars; null where its server does not tell all of it. */
function chargeOf({ cost, is_byok: isByok, cost_details: details }: z.infer<typeof usage>): number | null {
  if (cost == null || isByok !== true) return cost ?? null;
  const upstream = details?.upstream_inference_cost;
  return upstream == null ? null : cost + upstream;
}

/** Returns Azure's categories that have withheld an answer; an empty text for none. */
function withheldBy(filters: unknown): string {
  const read = categories.safeParse(filters).data ?? {};
  return Object.keys(read)
    .filter((category) => read[category]?.filtered)
    .join(', ');
}
