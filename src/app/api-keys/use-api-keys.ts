import { useState } from 'react';
import type { ApiKeyCreation, CreatedApiKey } from '../../../contract/api-key.ts';
import { useMutation } from '../server-data/use-mutation.ts';
import { useOpenItem } from '../server-data/use-open-item.ts';
import { useRead } from '../server-data/use-read.ts';

/** The API keys of the account, and what changes them. K2.01 */
export function useApiKeys() {
  /** The key that was created last, with its text. It is gone when the window closes. */
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  const list = useRead('apiKey.list', {});
  const runs = useOpenItem('apiKey.runs', (id) => ({ params: { id } }));
  const { call, remove, isBusy, problem } = useMutation({ invalidates: ['apiKey.list'], about: runs.openId });
  return {
    ...{ list, created, isBusy, openId: runs.openId, open: runs.open },
    /** The last runs of the key that is open, the newest first. */
    runs: runs.value,
    problem: problem ?? runs.problem,
    /** After a lost answer the key may be in the list, without its text: it is then to be revoked. */
    create: (body: ApiKeyCreation) => call('apiKey.create', { body }, setCreated),
    revoke: (id: string) => remove('apiKey.revoke', { params: { id } }, () => setCreated((key) => (key?.id === id ? null : key))),
  };
}

export type ApiKeysState = ReturnType<typeof useApiKeys>;

/** The command of a shell that lists the runs that a key reaches. */
export function commandWith(key: string, apiBase: string): string {
  return `curl -H 'Authorization: Bearer ${key}' ${apiBase}/PipelineExecution`;
}
