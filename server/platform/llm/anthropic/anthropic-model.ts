import { modelCallsTools, modelSees } from '../../../../contract/agent.ts';
import { withoutTrailingSlashes } from '../../../../contract/without-trailing-slashes.ts';
import type { Egress } from '../../egress/egress.ts';
import { failureOfError } from '../classify-failure.ts';
import { httpFailure } from '../http-failure.ts';
import type { ChatMessage, Conversation, ModelAdapter, ModelImage, ModelTurn } from '../language-model.ts';
import { asObject } from '../tool-messages.ts';
import { readMessage } from './read-message.ts';

export type AnthropicOptions = {
  /** Without the trailing `/messages`. */
  baseUrl: string;
  /** Null for gateways that need none. */
  apiKey: string | null;
  model: string;
  /** The limits for calls from this server: see `createEgress`. */
  call: Egress;
};

const apiVersion = '2023-06-01';
const maxTemperature = 1;

/** Anthropic's Messages API, streamed, or any compatible gateway. */
export function anthropicModel(options: AnthropicOptions): ModelAdapter {
  const base = versioned(options.baseUrl);
  return {
    provider: 'anthropic',
    model: options.model,
    simulated: false,
    callsTools: modelCallsTools('anthropic', options.model),
    sees: modelSees('anthropic', options.model),
    host: new URL(base).host,
    async converse(conversation, signal, onText, _onWait, hold) {
      const failureOf = (error: unknown) => failureOfError(error, signal, options.apiKey);
      try {
        const answer = await options.call(`${base}/messages`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'anthropic-version': apiVersion,
            ...(options.apiKey ? { 'x-api-key': options.apiKey } : {}),
            'idempotency-key': conversation.idempotencyKey,
          },
          body: JSON.stringify(toBody(conversation, options.model)),
          signal,
        });
        if (!answer.ok) throw await httpFailure(answer);
        return await readMessage(answer, { onText, hold, failureOf });
      } catch (error) {
        return { ok: false, error: failureOf(error) };
      }
    },
  };
}

/** Users enter addresses of this API with or without its version. */
function versioned(baseUrl: string): string {
  const url = new URL(baseUrl);
  if (url.pathname === '/') url.pathname = '/v1';
  return withoutTrailingSlashes(url.href);
}

function toBody({ messages, tools = [], turns = [], temperature, maxTokens }: Conversation, model: string): object {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  return {
    model,
    max_tokens: maxTokens,
    ...(refusesTemperature(model) ? {} : { temperature: Math.min(temperature ?? maxTemperature, maxTemperature) }),
    ...(system.length > 0 ? { system: system.join('\n\n') } : {}),
    messages: [...messages.filter(({ role }) => role !== 'system').map(toMessage), ...turns.flatMap(turnMessages)],
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })),
    }),
    stream: true,
  };
}

/** Returns the messages of an earlier turn: the model's text and calls, then all results in one message. */
function turnMessages({ text, calls }: ModelTurn): object[] {
  const said = text.trim() === '' ? [] : [{ type: 'text', text }];
  return [
    {
      role: 'assistant',
      content: [...said, ...calls.map(({ id, name, arguments: written }) => ({ type: 'tool_use', id, name, input: asObject(written) }))],
    },
    {
      role: 'user',
      content: calls.map(({ id, result, isError, images = [] }) => ({
        ...{ type: 'tool_result', tool_use_id: id },
        content: images.length === 0 ? result : [{ type: 'text', text: result }, ...images.map(imageBlock)],
        ...(isError && { is_error: true }),
      })),
    },
  ];
}

function toMessage({ role, content, images = [] }: ChatMessage): object {
  return { role, content: images.length === 0 ? content : [{ type: 'text', text: content }, ...images.map(imageBlock)] };
}

function imageBlock({ mime, base64 }: ModelImage): object {
  return { type: 'image', source: { type: 'base64', media_type: mime, data: base64 } };
}

/** From Opus 4.7 and the fifth generation on, the API refuses a request with a temperature. */
function refusesTemperature(model: string): boolean {
  return /^claude-(opus-4-[7-9]|[a-z]+-[5-9])/.test(model);
}
