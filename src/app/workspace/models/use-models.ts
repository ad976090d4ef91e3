import { useMemo, useState } from 'react';
import { type ProviderType, providerModels } from '../../../../contract/agent.ts';
import type { ConnectionModel } from '../../../../contract/model-connection.ts';
import { useDebounced } from '../../../ui/use-debounced.ts';
import { useRead } from '../../server-data/use-read.ts';

/** A list of models for the picker. */
export type ModelList = {
  models: readonly ConnectionModel[];
  /** Models whose names hold what was searched; more than `models` where the server keeps a long list. */
  total: number;
  /** Models that the provider lists beyond those that are kept. */
  leftOut: number;
  isLoading: boolean;
  /** Whether the abilities and the price of each model were asked for. */
  isListed: boolean;
  /** What is typed into the picker: a long list is searched by the server. */
  search: (query: string) => void;
};

const none: readonly ConnectionModel[] = [];
/** The time that typing rests before the server searches (ms). */
const searchAfterMs = 200;

/** Returns the list of a connection's models, which the server keeps; none without a connection. It is read again when `version` changes. */
export function useModels(connectionId: string | null, version = ''): ModelList {
  const [query, search] = useState('');
  const [isLong, setLong] = useState(false);
  const asked = useDebounced(isLong ? query : '', searchAfterMs);
  const { value, loading } = useRead(
    'modelConnection.models',
    connectionId ? { params: { id: connectionId }, query: { query: asked } } : null,
    { when: version, about: connectionId },
  );
  if (value && !isLong && value.total > value.items.length) setLong(true);
  return useMemo(
    () => ({
      models: value?.items ?? none,
      total: value?.total ?? 0,
      leftOut: value?.leftOut ?? 0,
      isLoading: loading,
      isListed: true,
      search,
    }),
    [value, loading],
  );
}

/** Returns the models that are offered for agents without a connection; their names alone where nothing is known of them. */
export function useOfferedModels(provider: ProviderType, isAsked: boolean): ModelList {
  const { value } = useRead('modelConnection.known', isAsked ? {} : null);
  return useMemo(() => {
    const known = value?.find((one) => one.provider === provider)?.models;
    const models = known ?? providerModels[provider].map(({ name: id }) => ({ id }));
    return { models, total: models.length, leftOut: 0, isLoading: false, isListed: known !== undefined, search: () => undefined };
  }, [value, provider]);
}
