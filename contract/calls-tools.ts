import { type ApiConfiguration, providerModels } from './agent.ts';

/** Models of each provider that cannot call tools, by their ids or the beginnings of them. All others can, as far as is known. */
const withoutTools: Record<ApiConfiguration['providerType'], RegExp | null> = {
  openai: /^(?:o1-(?:mini|preview)|chatgpt-4o-latest|gpt-3\.5-turbo-instruct|gpt-4(?:-turbo)?-0314|davinci|babbage)/,
  anthropic: /^claude-(?:2|instant)/,
  gigachat: /^Embeddings/,
  yandexgpt: /(?:^|\/)(?:yandexgpt-lite\/deprecated|summarization|llama-lite)(?:\/|$)/,
  simulated: null,
};

/** Whether a model of a provider calls tools. Of a server at an address of its own only a call can tell; it counts as one that does. */
export function modelCallsTools(provider: ApiConfiguration['providerType'], model: string): boolean {
  const id = providerModels[provider].find(({ name }) => name === model)?.id ?? model;
  return !(withoutTools[provider]?.test(id) ?? false);
}
