import type { Egress } from '../../egress/egress.ts';
import type { ModelAdapter } from '../language-model.ts';
import { openAiCompatibleModel } from '../openai-compatible-model.ts';
import type { AccessTokens } from './access-tokens.ts';

export type GigaChatOptions = {
  /** Without the trailing `/chat/completions`. */
  baseUrl: string;
  /** A project's authorization key, which is exchanged for tokens. */
  key: string;
  tokens: AccessTokens;
  model: string;
  /** The limits for calls from this server: see `createEgress`. */
  call: Egress;
};

/** Sber's GigaChat: chat completions with a token in place of a key. A refused token is replaced once. */
export function gigaChatModel(options: GigaChatOptions): ModelAdapter {
  const { baseUrl, key, tokens, model } = options;
  const withToken = (apiKey: string | null) =>
    openAiCompatibleModel({
      provider: 'gigachat',
      baseUrl,
      apiKey,
      model,
      requestsUsage: false,
      toolShape: 'functions',
      call: options.call,
    });

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
