import type { ConnectionModel } from '../../../../contract/model-connection.ts';
import { searchKey, searchWords } from '../../../../rules/text/search-key.ts';

/** The most models that a list shows at once. A search narrows it. */
export const maxShownModels = 100;

/** Models of one maker, of no named maker (null), or models that the provider has ended. */
export type ModelGroup = { key: string; maker: string | null; isEnded: boolean; items: ConnectionModel[] };

type ShownModels = { groups: ModelGroup[]; shown: number; found: number };

/**
 * Returns the models whose names hold all words of a query, in groups. Models of a list with several makers (`maker/model`) stand under their
 * makers; ended ones come last. At most `maxShownModels` are shown. M3.21
 */
export function modelGroups(models: readonly ConnectionModel[], query: string): ShownModels {
  const words = searchWords(query);
  const found = models.filter(({ id }) => {
    const key = searchKey(id);
    return words.every((word) => key.includes(word));
  });
  const ordered = [...found.filter(({ ended }) => !ended), ...found.filter(({ ended }) => ended)];
  const groups = new Map<string, ModelGroup>();
  for (const model of ordered.slice(0, maxShownModels)) {
    const isEnded = model.ended !== undefined;
    const maker = isEnded ? null : makerOf(model.id);
    const key = isEnded ? ':ended' : (maker ?? ':models');
    const group = groups.get(key) ?? { key, maker, isEnded, items: [] };
    group.items.push(model);
    groups.set(key, group);
  }
  return { groups: [...groups.values()], shown: Math.min(ordered.length, maxShownModels), found: found.length };
}

function makerOf(id: string): string | null {
  const slash = id.indexOf('/');
  return slash > 0 ? id.slice(0, slash) : null;
}

/** Names of models that do not converse. */
const other = /embed|whisper|tts|dall-e|image|moderation|rerank|transcribe|realtime|audio|speech|sora|veo|imagen|guard/i;

/**
 * Returns the model that a new connection is first used with: its default, else the first of `known` that its list has, else the first that
 * converses and calls tools. Null for an empty list.
 */
export function firstModel(
  { defaultModel }: { defaultModel: string | null },
  models: readonly ConnectionModel[],
  known: readonly string[],
): string | null {
  if (defaultModel !== null) return defaultModel;
  const served = models.filter(({ ended }) => !ended);
  const ids = new Set(served.map(({ id }) => id));
  const usual = known.find((name) => ids.has(name));
  const fitting = served.find(({ id, tools }) => tools !== false && !other.test(id)) ?? served[0];
  return usual ?? fitting?.id ?? null;
}
