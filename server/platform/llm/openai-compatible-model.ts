import { modelCallsTools, modelSees } from '../../../contract/agent.ts';
import { withoutTrailingSlashes } from '../../../contract/without-trailing-slashes.ts';
import type { Egress } from '../egress/egress.ts';
import { failureOfError } from './classify-failure.ts';
import { httpFailure } from './http-failure.ts';
import type { Conversation, ModelAdapter } from './language-model.ts';
import { readCompletion } from './read-completion.ts';
import { chatMessage, toolFields, turnMessages } from './tool-messages.ts';

export type OpenAiCompatibleOptions = {
  provider: 'openai' | 'gigachat' | 'yandexgpt';
  /** Without the trailing `/chat/completions`. */
  baseUrl: string;
  /** Null for servers that need none. */
  apiKey: string | null;
  /** The word before the key. */
  keyScheme?: 'Bearer' | 'Api-Key';
  /** False for servers that report usage without being asked, and may refuse the option. */
  requestsUsage?: boolean;
  /** `functions` for servers that know tools as functions, one call a turn. */
  toolShape?: 'tools' | 'functions';
  model: string;
  /** The limits for calls from this server: see `createEgress`. */
  call: Egress;
};

/** Any server with OpenAI's chat completions API, streamed. */
export function openAiCompatibleModel(options: OpenAiCompatibleOptions): ModelAdapter {
  const { host } = new URL(options.baseUrl);
  const address = `${withoutTrailingSlashes(options.baseUrl)}/chat/completions`;
  return {
    provider: options.provider,
    model: options.model,
    simulated: false,
    callsTools: modelCallsTools(options.provider, options.model),
    sees: modelSees(options.provider, options.model),
    host,
    async converse(conversation, signal, onText, _onWait, hold) {
      const failureOf = (error: unknown) => failureOfError(error, signal, options.apiKey);
      try {
        const answer = await options.call(address, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(options.apiKey ? { authorization: `${options.keyScheme ?? 'Bearer'} ${options.apiKey}` } : {}),
            'idempotency-key': conversation.idempotencyKey,
          },
          body: JSON.stringify(toBody(conversation, options, host)),
          signal,
        });
        if (!answer.ok) throw await httpFailure(answer);
        return await readCompletion(answer, { onText, hold, failureOf });
      } catch (error) {
        return { ok: false, error: failureOf(error) };
      }
    },
  };
}

function toBody(conversation: Conversation, options: OpenAiCompatibleOptions, host: string): object {
  const { messages, turns = [], tools = [], temperature, maxTokens } = conversation;
  const shape = options.toolShape ?? 'tools';
  return {
    model: options.model,
    messages: [...messages.map(chatMessage), ...turns.flatMap((turn) => turnMessages(turn, shape))],
    ...toolFields(tools, shape),
    temperature,
    // OpenAI's newer models accept the limit only under its new name, other servers only under the old one.
    ...(host === 'api.openai.com' ? { max_completion_tokens: maxTokens } : { max_tokens: maxTokens }),
    stream: true,
    ...((options.requestsUsage ?? true) ? { stream_options: { include_usage: true } } : {}),
  };
}
