import { useRef, useState } from 'react';
import { providerModels } from '../../../../contract/agent.ts';
import type { ConnectionCreation } from '../../../../contract/model-connection.ts';
import type { Problem } from '../../../model/problem.ts';
import { useIsMounted } from '../../../ui/use-is-mounted.ts';
import { useServerData } from '../../server-data/server-data-provider.tsx';
import { firstModel } from '../models/model-groups.ts';

/** What a new connection is doing; `model`: the one that is called. */
type ConnectStage = { kind: 'saving' | 'reading' | 'using' } | { kind: 'testing'; model: string };

/** `works`: whether the test call was answered. */
type Connected = { id: string; works: boolean };

/**
 * Stores a connection, reads its list of models, tests one of them, and gives it to agents where that works. A connection that does not work
 * stays, and its view says why. M3.24
 */
export function useConnect() {
  const data = useServerData();
  const { call, change } = data;
  const isMounted = useIsMounted();
  const [stage, setStage] = useState<ConnectStage | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const isBusy = useRef(false);

  /** The first model that the provider still serves, of those that are offered for it. */
  const offered = async (provider: ConnectionCreation['provider']): Promise<string | null> => {
    const answer = await call('modelConnection.known');
    const models = answer.ok ? (answer.value.find((one) => one.provider === provider)?.models ?? []) : [];
    return firstModel({ defaultModel: null }, models, []) ?? providerModels[provider][0].name;
  };

  const run = async (connection: ConnectionCreation, agentIds: readonly string[]): Promise<Connected | null> => {
    setStage({ kind: 'saving' });
    const made = await change('modelConnection.create', { body: connection });
    if (!made.ok) {
      setProblem(made.error);
      return null;
    }
    const stored = made.value;
    const { id } = stored;
    setStage({ kind: 'reading' });
    // Without a list the test and the view say why.
    const listed = await call('modelConnection.models', { params: { id }, query: { query: '' } });
    const known = providerModels[connection.provider].map(({ name }) => name);
    const model = firstModel(stored, listed.ok ? listed.value.items : [], known) ?? (await offered(connection.provider)) ?? '';
    setStage({ kind: 'testing', model });
    const tested = await change('modelConnection.test', { params: { id }, body: { model } });
    const works = tested.ok && tested.value.problem === null;
    if (works && agentIds.length > 0) {
      setStage({ kind: 'using' });
      const used = await change('modelConnection.use', { params: { id }, body: { agentIds: [...agentIds], model } });
      if (!used.ok) setProblem(used.error);
    }
    return { id, works };
  };

  const connect = async (connection: ConnectionCreation, agentIds: readonly string[]): Promise<Connected | null> => {
    if (isBusy.current) return null;
    isBusy.current = true;
    setProblem(null);
    try {
      return await run(connection, agentIds);
    } finally {
      isBusy.current = false;
      void data.invalidate(['modelConnection.list']);
      if (isMounted.current) setStage(null);
    }
  };
  return { connect, stage, problem };
}
