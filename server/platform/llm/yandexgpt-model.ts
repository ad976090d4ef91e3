import type { Egress } from '../egress/egress.ts';
import type { ModelAdapter } from './language-model.ts';
import { openAiCompatibleModel } from './openai-compatible-model.ts';

export type YandexGptOptions = {
  /** Without the trailing `/chat/completions`. */
  baseUrl: string;
  apiKey: string;
  /** See `yandexModelUri`. */
  modelUri: string;
  /** How this server may be called: see `createEgress`. */
  call: Egress;
};

/**
 * Models of Yandex Cloud, by its chat completions: they stream differences and tell usage and the reason of the end, where
 * the older interface repeats the whole text with every line.
 */
export function yandexGptModel({ baseUrl, apiKey, modelUri, call }: YandexGptOptions): ModelAdapter {
  return openAiCompatibleModel({ provider: 'yandexgpt', baseUrl, apiKey, keyScheme: 'Api-Key', model: modelUri, call });
}

/**
 * The address of a model in a folder: the latest of a name, or another branch of it (`yandexgpt/rc`). A whole address
 * (`gpt://…`, `ds://…`) stays as it is. Null when the folder is needed and missing.
 */
export function yandexModelUri(model: string, folderId: string | null): string | null {
  if (/^\w+:\/\//.test(model)) return model;
  if (folderId === null) return null;
  return `gpt://${folderId}/${model.includes('/') ? model : `${model}/latest`}`;
}
