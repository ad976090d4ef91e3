import { useEffect, useRef } from 'react';
import { providerModels } from '../../../../contract/agent.ts';
import type { ModelConnection } from '../../../../contract/model-connection.ts';
import { useIsMounted } from '../../../ui/use-is-mounted.ts';
import { useCall } from '../../../workers/bridge/use-workspace.ts';
import { firstModel } from './model-groups.ts';

/**
 * Returns a function for a connection that is chosen: when its list has been read and lacks `model`, `take` is called with the one that it is first used
 * with. A default model of the connection stays, and so does any model without a list. A later choice forgets an earlier one, and so does a model that is
 * typed meanwhile: `shown` is what the field has now. M3.20
 */
export function useListedModel(shown: string) {
  const call = useCall();
  const isMounted = useIsMounted();
  const latest = useRef<object | null>(null);
  const typed = useRef(shown);
  useEffect(() => {
    typed.current = shown;
  }, [shown]);
  return async (
    connection: Pick<ModelConnection, 'id' | 'provider' | 'defaultModel'> | null,
    model: string,
    take: (model: string) => void,
  ): Promise<void> => {
    const choice = {};
    latest.current = choice;
    if (!connection || connection.defaultModel !== null) return;
    const answer = await call('modelConnection.models', { params: { id: connection.id }, query: { query: '' } });
    if (!answer.ok) return;
    const { items, total } = answer.value;
    // Of a long list a part is sent: the model may be among the others.
    const found =
      total > items.length && model.trim() !== ''
        ? await call('modelConnection.models', { params: { id: connection.id }, query: { query: model.trim() } })
        : answer;
    if (!found.ok || found.value.items.some(({ id, ended }) => id === model.trim() && !ended)) return;
    if (latest.current !== choice || typed.current !== model || !isMounted.current) return;
    const known = providerModels[connection.provider].map(({ name }) => name);
    const first = firstModel(connection, items, known);
    if (first !== null) take(first);
  };
}
