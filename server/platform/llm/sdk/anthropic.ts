import type { AnthropicLanguageModel } from '@ai-sdk/anthropic/internal';
import type { SharedV4ProviderMetadata } from '@ai-sdk/provider';
import { z } from 'zod';
import type { TokenUsage } from '../../../../contract/common.ts';
import { tokenCount, toTokenUsage } from '../token-count.ts';
import { withCacheBreakpoints } from './cache-breakpoints.ts';
import { type AnswerReader, type Protocol, refuseError } from './protocol.ts';
import type { Ending, ReceivedAnswer } from './received-answer.ts';

const usage = z.object({
  input_tokens: tokenCount,
  cache_creation_input_tokens: tokenCount,
  cache_read_input_tokens: tokenCount,
  output_tokens: tokenCount,
});
type Usage = z.infer<typeof usage>;

/** Why an answer was refused, in words and by the policy: https://docs.anthropic.com/en/api/messages */
const details = z
  .object({ explanation: z.string().nullish().catch(null), category: z.string().nullish().catch(null) })
  .nullish()
  .catch(null);
const event = z.object({
  type: z.string(),
  index: z.unknown().optional(),
  message: z.object({ usage: usage.nullish() }).nullish(),
  content_block: z.unknown().optional(),
  delta: z.looseObject({ stop_reason: z.string().nullish(), stop_details: details }).nullish(),
  usage: usage.nullish(),
});
const text = z.string().nullish();
const begun = z.object({
  index: z.number(),
  content_block: z.discriminatedUnion('type', [
    z.object({ type: z.enum(['text', 'thinking']) }),
    z.object({ type: z.literal('redacted_thinking'), data: z.string() }),
    z.object({
      type: z.literal('tool_use'),
      id: z.string(),
      name: z.string(),
      input: z.unknown().optional(),
      caller: z.record(z.string(), z.json()).nullish(),
    }),
  ]),
});
type Begun = z.infer<typeof begun>['content_block'];
const piece = z.object({
  index: z.number(),
  delta: z.object({ type: z.string(), text, thinking: text, signature: text, partial_json: text }),
});

const block = z.looseObject({ type: z.string() });
const whole = z.object({
  content: z.array(block),
  stop_reason: z.string(),
  stop_details: z.unknown().optional(),
  usage: z.unknown().optional(),
});

const endings: Record<string, Ending> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'declined',
  pause_turn: 'pause',
};

/** The library prepares requests only, and never sends one. */
const config: Parameters<typeof AnthropicLanguageModel.prepareRequest>[0]['config'] = { provider: 'anthropic.messages', baseURL: '' };

/** Anthropic's Messages API, and gateways that speak it. */
export const anthropic: Protocol = {
  // The library would ask for tools in a form of its own that gateways refuse.
  options: () => ({ anthropic: { toolStreaming: false } }),
  markBorders: withCacheBreakpoints,
  async request(model, options) {
    const { AnthropicLanguageModel } = await import('@ai-sdk/anthropic/internal');
    const asked = { ...options, stream: true, userSuppliedBetas: new Set<string>() };
    const { args, betas } = await AnthropicLanguageModel.prepareRequest({ modelId: model, config, options: asked });
    const headers = { 'anthropic-version': '2023-06-01', ...(betas.size > 0 && { 'anthropic-beta': [...betas].join(',') }) };
    return { path: '/messages', headers, body: args };
  },
  *eventsOf(body) {
    refuseError(body);
    const { content, stop_reason, stop_details, usage: spent } = whole.parse(body);
    yield { type: 'message_start', message: {} };
    for (const [index, part] of content.entries()) yield* eventsOfBlock(part, index);
    yield { type: 'message_delta', delta: { stop_reason, stop_details }, usage: spent };
    yield { type: 'message_stop' };
  },
  read: (answer) => new AnthropicReader(answer),
};

type OpenBlock = { type: Exclude<Begun['type'], 'tool_use'> } | OpenCall;
/** `given`: arguments that came with the block, for a server that sends no pieces of them. */
type OpenCall = {
  type: 'call';
  id: string;
  name: string;
  given: string;
  written: string;
  wantedBack: SharedV4ProviderMetadata | undefined;
};

class AnthropicReader implements AnswerReader {
  readonly #answer: ReceivedAnswer;
  readonly #blocks = new Map<unknown, OpenBlock>();
  #spent: Usage = {};
  /** The block of the last piece of text. */
  #textIndex = '';

  constructor(answer: ReceivedAnswer) {
    this.#answer = answer;
  }

  take(data: unknown): string | null {
    const plain = plainText(data);
    if (plain !== null) {
      this.#textIndex = String(plain.index);
      this.addText(plain.text);
      return plain.text;
    }
    refuseError(data);
    const told = event.parse(data);
    this.#note(told.message?.usage, told.usage, told.delta?.stop_reason);
    this.#answer.explanation ||= told.delta?.stop_details?.explanation || told.delta?.stop_details?.category || '';
    if (told.type === 'message_stop') this.#answer.isEnded = true;
    else if (told.type === 'content_block_start') this.#begin(told);
    else if (told.type === 'content_block_delta') this.#addPiece(told);
    else if (told.type === 'content_block_stop') this.#endBlock(told.index);
    return null;
  }

  addText(text: string): void {
    if (text !== '') this.#answer.addToPart('text', this.#textIndex, text);
  }

  #note(first: Usage | null | undefined, latest: Usage | null | undefined, reason: string | null | undefined): void {
    this.#spent = { ...this.#spent, ...first, ...latest };
    this.#answer.usage = usageOf(this.#spent);
    if (!reason) return;
    this.#answer.isWhole = true;
    this.#answer.finish(endings[reason] ?? 'stop', reason);
  }

  #begin(told: object): void {
    const read = begun.safeParse(told);
    if (!read.success) {
      this.#answer.unreadable ??= read.error;
      return;
    }
    const { index, content_block: block } = read.data;
    this.#blocks.set(index, openBlock(block));
    if (block.type === 'tool_use') this.#answer.addToCall(block.id, block.name, '');
    else if (block.type === 'text') this.#answer.addToPart('text', String(index), '');
    else this.#answer.addToPart('reasoning', String(index), '', 'data' in block ? { anthropic: { redactedData: block.data } } : undefined);
  }

  #addPiece(told: object): void {
    const read = piece.safeParse(told);
    if (!read.success) {
      this.#answer.unreadable ??= read.error;
      return;
    }
    const { index, delta } = read.data;
    const open = this.#blocks.get(index);
    if (delta.type === 'text_delta' && delta.text) this.#answer.addToPart('text', String(index), delta.text);
    else if (delta.type === 'thinking_delta' && delta.thinking) this.#answer.addToPart('reasoning', String(index), delta.thinking);
    else if (delta.type === 'signature_delta' && delta.signature && open?.type === 'thinking')
      this.#answer.addToPart('reasoning', String(index), '', { anthropic: { signature: delta.signature } });
    else if (delta.type === 'input_json_delta' && delta.partial_json && open?.type === 'call') {
      open.written += delta.partial_json;
      this.#answer.addToCall(open.id, null, delta.partial_json);
    }
  }

  #endBlock(index: unknown): void {
    const open = this.#blocks.get(index);
    this.#blocks.delete(index);
    if (open?.type === 'call') this.#answer.endCall(open.id, open.name, open.written || open.given || '{}', open.wantedBack);
  }
}

function openBlock(block: Begun): OpenBlock {
  if (block.type !== 'tool_use') return { type: block.type };
  const { id, name, input, caller } = block;
  const given = typeof input === 'object' && input !== null && Object.keys(input).length > 0 ? JSON.stringify(input) : '';
  return { type: 'call', id, name, given, written: '', wantedBack: caller ? { anthropic: { caller: callerOf(caller) } } : undefined };
}

/** Which of a provider's own tools has made the call. The library takes it back under this name. */
function callerOf({ type, tool_id: toolId }: Record<string, z.core.util.JSONType>) {
  return { type: type ?? null, ...(toolId !== undefined && { toolId }) };
}

/** Returns the text of the usual event, a piece of text. Most events are that, and a schema would take most of their time. */
function plainText(data: unknown): { index: number; text: string } | null {
  const { type, index, delta, usage: spent, error } = Object(data) as Record<string, unknown>;
  if (type !== 'content_block_delta' || typeof index !== 'number' || spent != null || error != null) return null;
  const { type: kind, text, stop_reason: reason } = Object(delta) as Record<string, unknown>;
  return kind === 'text_delta' && typeof text === 'string' && reason == null ? { index, text } : null;
}

/** A block as it would have been streamed. */
function* eventsOfBlock(part: z.infer<typeof block>, index: number): Generator<object> {
  const { type, text, thinking, signature, input } = part;
  yield { type: 'content_block_start', index, content_block: { ...part, ...blankOf(type) } };
  const deltas = [
    ...(type === 'text' ? [{ type: 'text_delta', text }] : []),
    ...(type === 'thinking' ? [{ type: 'thinking_delta', thinking }] : []),
    ...(signature ? [{ type: 'signature_delta', signature }] : []),
    ...(type === 'tool_use' ? [{ type: 'input_json_delta', partial_json: JSON.stringify(input) }] : []),
  ];
  for (const delta of deltas) yield { type: 'content_block_delta', index, delta };
  yield { type: 'content_block_stop', index };
}

function blankOf(type: string): object {
  if (type === 'tool_use') return { input: {} };
  return type === 'text' ? { text: '' } : type === 'thinking' ? { thinking: '' } : {};
}

function usageOf(spent: Usage): TokenUsage | null {
  if (spent.input_tokens == null && spent.output_tokens == null) return null;
  const prompt = (spent.input_tokens ?? 0) + (spent.cache_creation_input_tokens ?? 0) + (spent.cache_read_input_tokens ?? 0);
  return toTokenUsage(prompt, spent.output_tokens ?? 0, {
    cached: spent.cache_read_input_tokens,
    cacheWrite: spent.cache_creation_input_tokens,
  });
}
