import type { OpenAIResponsesLanguageModel } from '@ai-sdk/openai/internal';
import { z } from 'zod';
import { tokenCount, toTokenUsage } from '../token-count.ts';
import { expandParallelCall } from './parallel-call.ts';
import { type AnswerReader, type Protocol, refuseError } from './protocol.ts';
import type { Ending, ReceivedAnswer } from './received-answer.ts';

const usage = z.object({
  input_tokens: tokenCount,
  output_tokens: tokenCount,
  input_tokens_details: z.object({ cached_tokens: tokenCount, cache_write_tokens: tokenCount }).nullish().catch(null),
  output_tokens_details: z.object({ reasoning_tokens: tokenCount }).nullish().catch(null),
});
const text = z.string().nullish();
const event = z.object({
  type: z.string(),
  response: z
    .object({ usage: usage.nullish().catch(null), incomplete_details: z.object({ reason: text }).nullish().catch(null) })
    .nullish(),
  item: z.unknown().optional(),
  item_id: text.catch(null),
  output_index: z.number().nullish().catch(null),
  summary_index: z.number().catch(0),
  delta: z.string().catch(''),
});
type Event = z.infer<typeof event>;

const listed = z.looseObject({ type: z.string(), id: z.string().nullish() });
const whole = z.looseObject({ status: z.string(), output: z.array(listed) });
const item = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('function_call'),
    id: text,
    call_id: z.string(),
    name: z.string(),
    arguments: text,
    async: z.boolean().nullish(),
    namespace: text,
  }),
  z.object({ type: z.literal('message'), id: text, phase: text }),
  z.object({ type: z.literal('reasoning'), id: z.string(), encrypted_content: text }),
]);
type Item = z.infer<typeof item>;

const endings: Record<string, Ending> = { max_output_tokens: 'length', content_filter: 'declined' };

/** The library prepares requests only, and never sends one. */
const config: Parameters<typeof OpenAIResponsesLanguageModel.prepareRequest>[0]['config'] = {
  provider: 'openai.responses',
  url: ({ path }) => path,
};

/** OpenAI's Responses API. Nothing is stored there: reasoning comes back encrypted, and is sent again. */
export const responses: Protocol = {
  options: ({ cacheKey }) => ({ openai: { store: false, ...(cacheKey !== undefined && { promptCacheKey: cacheKey }) } }),
  async request(model, options) {
    const { OpenAIResponsesLanguageModel } = await import('@ai-sdk/openai/internal');
    const { args } = await OpenAIResponsesLanguageModel.prepareRequest({ modelId: model, config, options });
    return { path: '/responses', body: { ...args, stream: true } };
  },
  *eventsOf(body) {
    refuseError(body);
    const response = whole.parse(body);
    for (const [output_index, one] of response.output.entries()) {
      yield { type: 'response.output_item.added', output_index, item: one };
      for (const delta of textsOf(one)) yield { type: 'response.output_text.delta', item_id: one.id, output_index, delta };
      yield { type: 'response.output_item.done', output_index, item: one };
    }
    yield { type: `response.${response.status}`, response };
  },
  read: (answer, { tools = [] }) =>
    new ResponsesReader(
      answer,
      tools.map(({ name }) => name),
    ),
};

/** `open`: summaries that have not ended; `told`: those of them whose text has. `written`: arguments of a parallel call. */
type OpenItem = { item: Item; open: Set<number>; told: Set<number>; written: string };

class ResponsesReader implements AnswerReader {
  readonly #answer: ReceivedAnswer;
  readonly #tools: readonly string[];
  /** By their places in the answer. */
  readonly #items = new Map<number | null | undefined, OpenItem>();
  #hasCall = false;
  #isRefused = false;
  /** The part of the last piece of text. */
  #textId = '';

  constructor(answer: ReceivedAnswer, tools: readonly string[]) {
    this.#answer = answer;
    this.#tools = tools;
  }

  take(data: unknown): string | null {
    const plain = plainText(data);
    if (plain !== null) {
      this.#textId = this.#idOf(plain.output_index, plain.item_id);
      this.addText(plain.delta);
      return plain.delta;
    }
    refuseError(data);
    if (!tellsNothing(data)) this.#take(event.parse(data));
    return null;
  }

  addText(text: string): void {
    this.#answer.addToPart('text', this.#textId, text);
  }

  /** A parallel call that was cut off is one call. */
  end(): void {
    for (const { item: open, written } of this.#items.values())
      if (open.type === 'function_call' && this.#isParallel(open)) this.#answer.addToCall(open.call_id, open.name, written);
  }

  #take(told: Event): void {
    this.#count(told);
    switch (told.type) {
      case 'response.output_item.added':
        this.#begin(told);
        return;
      case 'response.output_item.done':
        this.#endItem(told);
        return;
      case 'response.function_call_arguments.delta': {
        const open = this.#items.get(told.output_index);
        if (open?.item.type !== 'function_call') return;
        if (this.#isParallel(open.item)) open.written += told.delta;
        else this.#answer.addToCall(open.item.call_id, null, told.delta);
        return;
      }
      case 'response.refusal.delta':
        this.#isRefused = true;
        this.#answer.addToPart('text', this.#idOf(told.output_index, told.item_id), told.delta);
        return;
      case 'response.refusal.done':
        this.#isRefused = true;
        return;
      case 'response.completed':
      case 'response.incomplete':
        this.#finish(told);
        return;
      default:
        if (told.type.startsWith('response.reasoning_summary')) this.#addSummary(told);
    }
  }

  #begin({ item: given, output_index: place }: Event): void {
    const one = this.#itemOf(given);
    if (!one) return;
    this.#items.set(place, { item: one, open: new Set([0]), told: new Set(), written: '' });
    if (one.type === 'function_call') {
      if (!this.#isParallel(one)) this.#answer.addToCall(one.call_id, one.name, '');
    } else if (one.type === 'message') this.#answer.addToPart('text', this.#idOf(place, one.id), '', wantedOf(one));
    else this.#answer.addToPart('reasoning', `${one.id}:0`, '', wantedOf(one));
  }

  #endItem({ item: given, output_index: place }: Event): void {
    const one = this.#itemOf(given);
    if (!one) return;
    const known = this.#items.get(place);
    if (one.type === 'function_call') this.#endCall(one, known?.item);
    else if (one.type === 'message') {
      const begun = known?.item.type === 'message' ? known.item : null;
      const id = this.#idOf(place, one.id);
      this.#answer.addToPart('text', id, '', wantedOf({ ...one, id: id || null, phase: one.phase ?? begun?.phase }));
    } else if (known?.item.type === 'reasoning') {
      const wantedBack = wantedOf({ ...one, id: known.item.id });
      for (const index of known.open) this.#answer.addToPart('reasoning', `${known.item.id}:${index}`, '', wantedBack);
    }
    this.#items.delete(place);
  }

  #endCall(given: Item & { type: 'function_call' }, known: Item | undefined): void {
    const call = { ...given, async: given.async ?? (known?.type === 'function_call' ? known.async : undefined) };
    this.#hasCall = true;
    const written = call.arguments ?? '';
    const parts = this.#isParallel(call) ? expandParallelCall(call.call_id, written, this.#tools) : null;
    if (parts) for (const { id, name, input } of parts) this.#answer.endCall(id, name, input);
    else this.#answer.endCall(call.call_id, call.name, written, wantedOf(call));
  }

  /** A call that stands for several: it is known whole only at its end. */
  #isParallel({ name }: { name: string }): boolean {
    return name === 'parallel' && !this.#tools.includes(name);
  }

  /** Summaries of a reasoning follow each other. Only the last ones, which are open at its end, get what the server wants back. */
  #addSummary(told: Event): void {
    const known = this.#items.get(told.output_index);
    const id = known?.item.type === 'reasoning' ? known.item.id : told.item_id;
    const index = told.summary_index;
    if (told.type === 'response.reasoning_summary_text.delta')
      this.#answer.addToPart('reasoning', `${id}:${index}`, told.delta, { openai: { itemId: id ?? null } });
    if (known?.item.type !== 'reasoning') return;
    if (told.type === 'response.reasoning_summary_part.done') known.told.add(index);
    if (told.type !== 'response.reasoning_summary_part.added' || index === 0) return;
    for (const at of known.told) known.open.delete(at);
    known.told.clear();
    known.open.add(index);
    this.#answer.addToPart('reasoning', `${id}:${index}`, '', wantedOf(known.item));
  }

  #count({ response }: Event): void {
    const spent = response?.usage;
    if (spent && (spent.input_tokens != null || spent.output_tokens != null))
      this.#answer.usage = toTokenUsage(spent.input_tokens ?? 0, spent.output_tokens ?? 0, {
        cached: spent.input_tokens_details?.cached_tokens,
        cacheWrite: spent.input_tokens_details?.cache_write_tokens,
        reasoning: spent.output_tokens_details?.reasoning_tokens,
      });
  }

  #finish({ response }: Event): void {
    const answer = this.#answer;
    const reason = response?.incomplete_details?.reason ?? '';
    const isDeclined = reason === '' && this.#isRefused && !this.#hasCall;
    answer.finish(isDeclined ? 'declined' : (endings[reason] ?? 'stop'), reason);
    answer.isWhole = true;
    answer.isEnded = true;
  }

  /** Returns an item of the kinds that an answer is made of. */
  #itemOf(given: unknown): Item | null {
    return item.safeParse(given).data ?? null;
  }

  #idOf(place: number | null | undefined, id: string | null | undefined): string {
    const known = this.#items.get(place)?.item;
    return (known?.type === 'message' ? known.id : null) ?? id ?? '';
  }
}

/** What OpenAI wants back of an item, in the library's words. */
function wantedOf(one: Item) {
  if (one.type === 'reasoning') return { openai: { itemId: one.id, reasoningEncryptedContent: one.encrypted_content ?? null } };
  if (one.type === 'message') return { openai: { itemId: one.id ?? null, ...(one.phase != null && { phase: one.phase }) } };
  const { id, async: isAsync, namespace } = one;
  return { openai: { itemId: id ?? null, ...(isAsync != null && { async: isAsync }), ...(namespace != null && { namespace }) } };
}

/** Returns a usual event, a piece of text. Most events are that, and a schema would take most of their time. */
function plainText(data: unknown): { delta: string; item_id: string | null; output_index: number | null } | null {
  const { type, delta, item_id: id, output_index: place, response, error } = Object(data) as Record<string, unknown>;
  if (type !== 'response.output_text.delta' || typeof delta !== 'string' || response != null || error != null) return null;
  return { delta, item_id: typeof id === 'string' ? id : null, output_index: typeof place === 'number' ? place : null };
}

/** Events that repeat what others tell: an answer of one word has as many of them as of others. */
const repeating = new Set([
  'response.created',
  'response.in_progress',
  'response.content_part.added',
  'response.content_part.done',
  'response.output_text.done',
  'response.function_call_arguments.done',
]);

function tellsNothing(data: unknown): boolean {
  return repeating.has(String((Object(data) as { type?: unknown }).type));
}

const contents = z.array(z.looseObject({ text: z.string() }));

function textsOf({ content }: z.infer<typeof listed>): string[] {
  const parts = contents.safeParse(content);
  return parts.success ? parts.data.map(({ text }) => text) : [];
}
