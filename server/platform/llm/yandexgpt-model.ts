import type { Egress } from '../egress/egress.ts';
import type { ModelAdapter } from './language-model.ts';
import { openAiCompatibleModel } from './openai-compatible-model.ts';

export type YandexGptOptions = {
  /** Without the trailing `/chat/completions`. */
  baseUrl: string;
  apiKey: string;
  /** See `yandexModelUri`. */
  modelUri: string;
  /** The limits for calls from this server: see `createEgress`. */
  call: Egress;
};

/**
 * Yandex Cloud's models, by its chat completions API. It streams differences and reports usage and finish reason. The older API repeats the
 * whole text with every line.
 */
export function yandexGptModel({ baseUrl, apiKey, modelUri, call }: YandexGptOptions): ModelAdapter {
  return openAiCompatibleModel({ provider: 'yandexgpt', baseUrl, apiKey, keyScheme: 'Api-Key', model: modelUri, call });
}

/**
 * Returns the URI of a model in a folder: the latest version of a name, or another branch of it (`yandexgpt/rc`). A complete URI
 * (`gpt://…`, `ds://…`) is returned unchanged. Null when the folder is needed and missing.
 */
export function yandexModelUri(model: string, folderId: string | null): string | null {
  if (/^\w+:\/\//.test(model)) return model;
  if (folderId === null) return null;
  return `gpt://${folderId}/${model.includes('/') ? model : `${model}/latest`}`;
}
