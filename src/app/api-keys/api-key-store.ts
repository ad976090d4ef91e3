import type { ApiKey, ApiKeyCreation, CreatedApiKey, KeyRun } from '../../../contract/api-key.ts';
import type { Api } from '../../api/create-api.ts';
import { ApiListStore, removeIfThere } from '../api-list/api-list-store.ts';

type KeysState = {
  /** The key that was created last, with its text. It is gone when the window closes. */
  created: CreatedApiKey | null;
  /** The key whose last runs are shown. */
  openId: string | null;
  /** Those runs, the newest first; null while they load. */
  runs: readonly KeyRun[] | null;
};

/** The command of a shell that lists the runs that a key reaches. */
export function commandWith(key: string, apiBase: string): string {
  return `curl -H 'Authorization: Bearer ${key}' ${apiBase}/PipelineExecution`;
}

/** The API keys of the account. K2.01 */
export class ApiKeyStore extends ApiListStore<ApiKey, KeysState> {
  constructor(api: Api) {
    super(api, { created: null, openId: null, runs: null });
  }

  /** Returns whether the key was created. After a lost answer it may be in the list, without its text: it is then to be revoked. */
  async create(creation: ApiKeyCreation): Promise<boolean> {
    this.show({ problem: null });
    const isDone = await this.attempt(async () => {
      const created = await this.api.call('apiKey.create', { body: creation });
      const { key: _text, ...shown } = created;
      this.show({ created, items: [shown, ...this.get().items] });
    });
    if (!isDone) await this.reread();
    return isDone;
  }

  /** Shows the last runs of a key, or of none; of none too where they cannot be read. */
  async open(id: string | null): Promise<void> {
    this.show({ openId: id, runs: null });
    if (id === null) return;
    const isDone = await this.attempt(async () => {
      const runs = await this.api.call('apiKey.runs', { params: { id } });
      if (this.get().openId === id) this.show({ runs });
    });
    if (!isDone && this.get().openId === id) this.show({ openId: null });
  }

  /** Revokes a key. */
  revoke(id: string): Promise<boolean> {
    this.show({ problem: null });
    return this.attempt(async () => {
      await removeIfThere(() => this.api.call('apiKey.revoke', { params: { id } }));
      if (this.get().created?.id === id) this.show({ created: null });
      this.show({ items: await this.read() });
    });
  }

  protected read(): Promise<ApiKey[]> {
    return this.api.call('apiKey.list', {});
  }
}
