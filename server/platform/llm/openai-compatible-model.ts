import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { TokenUsage } from '../../../contract/common.ts';
import { asEventStream } from './as-event-stream.ts';
import { failureOfCutStream, failureOfError, failureOfFinish } from './classify-failure.ts';
import type { ChatMessage, ModelAdapter, ModelOutcome, OnText } from './language-model.ts';

export type OpenAiCompatibleOptions = {
  provider: string;
  /** Without the trailing `/chat/completions`. */
  baseUrl: string;
  /** Null for servers that ask for none. */
  apiKey: string | null;
  /** The word before the key. */
  keyScheme?: 'Bearer' | 'Api-Key';
  /** False for servers that tell the usage unasked and may refuse the question. */
  asksForUsage?: boolean;
  model: string;
  /** How this server may be called: see `createEgress`. */
  fetch: typeof fetch;
};

type Stream = Awaited<ReturnType<ReturnType<ReturnType<typeof createOpenAICompatible>>['doStream']>>['stream'];

/** Any server that speaks OpenAI's chat completions, streamed. */
export function openAiCompatibleModel(options: OpenAiCompatibleOptions): ModelAdapter {
  const host = new URL(options.baseUrl).host;
  const chat = createOpenAICompatible({
    name: options.provider,
    baseURL: options.baseUrl.replace(/\/+$/, ''),
    ...(options.apiKey ? { headers: { authorization: `${options.keyScheme ?? 'Bearer'} ${options.apiKey}` } } : {}),
    includeUsage: options.asksForUsage ?? true,
    fetch: asEventStream(options.fetch),
    transformRequestBody: host === 'api.openai.com' ? renameTokenLimit : undefined,
  })(options.model);

  return {
    provider: options.provider,
    model: options.model,
    simulated: false,
    host,
    async converse(conversation, signal, onText) {
      try {
        const { stream } = await chat.doStream({
          prompt: conversation.messages.map(toPromptMessage),
          temperature: conversation.temperature,
          maxOutputTokens: conversation.maxTokens,
          headers: { 'Idempotency-Key': conversation.idempotencyKey },
          abortSignal: signal,
        });
        return await readAnswer(stream, signal, onText);
      } catch (error) {
        return { ok: false, error: failureOfError(error, signal, options.apiKey) };
      }
    },
  };

  async function readAnswer(stream: Stream, signal: AbortSignal, onText: OnText): Promise<ModelOutcome> {
    let text = '';
    let reasoning = '';
    for await (const part of stream) {
      if (part.type === 'text-delta') {
        text += part.delta;
        onText(text, reasoning);
      } else if (part.type === 'reasoning-delta') {
        reasoning += part.delta;
        onText(text, reasoning);
      } else if (part.type === 'error') {
        return { ok: false, error: failureOfCutStream(part.error, text) ?? failureOfError(part.error, signal, options.apiKey) };
      } else if (part.type === 'finish') {
        const { unified, raw } = part.finishReason;
        const failure = failureOfFinish(refusals.has(raw ?? '') ? 'content-filter' : unified, text);
        if (failure) return { ok: false, error: failure };
        const finish = unified === 'length' ? 'length' : 'stop';
        return { ok: true, value: { text, thoughts: reasoning.trim() || null, finish, usage: toUsage(part.usage) } };
      }
    }
    return { ok: false, error: { code: signal.aborted ? 'aborted' : 'model_bad_answer', transient: false } };
  }
}

/** Words of some servers for an answer that was held back. */
const refusals = new Set(['blacklist', 'ALTERNATIVE_STATUS_CONTENT_FILTER']);

type PromptMessage = Parameters<ReturnType<ReturnType<typeof createOpenAICompatible>>['doStream']>[0]['prompt'][number];

function toPromptMessage({ role, content }: ChatMessage): PromptMessage {
  return role === 'system' ? { role, content } : { role, content: [{ type: 'text', text: content }] };
}

/** OpenAI's own newer models know the limit only by its new name. */
function renameTokenLimit(body: Record<string, unknown>): Record<string, unknown> {
  const { max_tokens: limit, ...rest } = body;
  return limit === undefined ? body : { ...rest, max_completion_tokens: limit };
}

function toUsage(usage: { inputTokens: { total: number | undefined }; outputTokens: { total: number | undefined } }): TokenUsage | null {
  const { inputTokens, outputTokens } = usage;
  if (inputTokens.total === undefined && outputTokens.total === undefined) return null;
  const promptTokens = inputTokens.total ?? 0;
  const completionTokens = outputTokens.total ?? 0;
  return { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
}
