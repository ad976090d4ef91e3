import { z } from 'zod';
import type { ModelAdapter } from '../language-model.ts';
import { isPortableId } from '../refusals/portable-id.ts';
import { type SdkModelOptions, sdkModel } from '../sdk/sdk-model.ts';
import type { AccessTokens } from './access-tokens.ts';

type GigaChatOptions = Omit<SdkModelOptions, 'provider' | 'apiKey'> & {
  /** A project's authorization key, which is exchanged for tokens. */
  key: string;
  tokens: AccessTokens;
};

/** Sber's GigaChat: chat completions with a token in place of a key. A refused token is replaced once. */
export function gigaChatModel({ key, tokens, ...options }: GigaChatOptions): ModelAdapter {
  const withToken = (apiKey: string | null) => sdkModel({ ...options, provider: 'gigachat', apiKey, adjust: toFunctions });
  return {
    ...withToken(null),
    async converse(conversation, signal, onText, onWait, hold) {
      for (let attempt = 1; ; attempt += 1) {
        const token = await tokens.tokenFor(key, signal);
        if (!token.ok) return token;
        const outcome = await withToken(token.value.value).converse(conversation, signal, onText, onWait, hold);
        if (outcome.ok || outcome.error.status !== 401 || attempt === 2) return outcome;
        tokens.forget(key, token.value.value);
      }
    },
  };
}

const called = z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) });
const body = z.looseObject({
  messages: z.array(
    z.looseObject({ role: z.string(), content: z.unknown(), tool_calls: z.array(called).optional(), tool_call_id: z.string().optional() }),
  ),
  tools: z.array(z.object({ function: z.unknown() })).optional(),
  stream_options: z.unknown().optional(),
});

/**
 * Tools as functions, before OpenAI had tools: one call a message, followed by its result. Usage comes without being asked for. GigaChat's ids are UUIDs: that of
 * another server's call is left out.
 */
function toFunctions(given: Record<string, unknown>): Record<string, unknown> {
  const { messages, tools, stream_options: _, ...rest } = body.parse(given);
  const results = new Map(messages.map(({ tool_call_id, content }) => [tool_call_id, content]));
  const turned = messages.flatMap(({ tool_calls = [], ...message }) => {
    if (message.role === 'tool') return [];
    if (tool_calls.length === 0) return [message];
    return tool_calls.flatMap(({ id, function: { name, arguments: written } }, index) => [
      {
        role: 'assistant',
        content: index === 0 ? (message.content ?? '') : '',
        ...(!isPortableId(id) && { functions_state_id: id }),
        function_call: { name, arguments: JSON.parse(written) },
      },
      { role: 'function', name, content: results.get(id) },
    ]);
  });
  const offered = tools ? { functions: tools.map((tool) => tool.function), function_call: 'auto' } : {};
  return { ...rest, messages: turned, ...offered };
}
