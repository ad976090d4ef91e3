import type { ApiKey, ApiKeyCreation, CreatedApiKey } from '../../../contract/api-key.ts';
import { ApiError } from '../../api/api-error.ts';
import type { Api } from '../../api/create-api.ts';
import { ObservableValue } from '../../state/observable.ts';

export type ApiKeysState = {
  status: 'loading' | 'ready' | 'failed';
  /** The problem of the last call; null after a successful one. */
  problem: { code: string; message: string } | null;
  keys: readonly ApiKey[];
  /** The key that was created last, with its text. It is gone when the window closes. */
  created: CreatedApiKey | null;
  isBusy: boolean;
};

/** The command of a shell that lists the runs that a key reaches. */
export function commandWith(key: string, apiBase: string): string {
  return `curl -H 'Authorization: Bearer ${key}' ${apiBase}/PipelineExecution`;
}

/** The API keys of the account. A change is shown only after the server has made it. K2.01 */
export class ApiKeyStore extends ObservableValue<ApiKeysState> {
  readonly #api: Api;

  constructor(api: Api) {
    super({ status: 'loading', problem: null, keys: [], created: null, isBusy: false });
    this.#api = api;
  }

  load(): Promise<boolean> {
    return this.#attempt(async () => this.#show({ keys: await this.#api.call('apiKey.list', {}), status: 'ready' }));
  }

  /** Returns whether the key was created. After a lost answer it may be in the list, without its text: it is then to be revoked. */
  async create(creation: ApiKeyCreation): Promise<boolean> {
    const isDone = await this.#attempt(async () => {
      const created = await this.#api.call('apiKey.create', { body: creation });
      const { key: _text, ...shown } = created;
      this.#show({ created, keys: [shown, ...this.get().keys] });
    });
    if (!isDone) await this.#refresh();
    return isDone;
  }

  /** Revokes a key. One that is gone already is no failure. */
  revoke(id: string): Promise<boolean> {
    return this.#attempt(async () => {
      try {
        await this.#api.call('apiKey.revoke', { params: { id } });
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 404) throw error;
      }
      if (this.get().created?.id === id) this.#show({ created: null });
      this.#show({ keys: await this.#api.call('apiKey.list', {}) });
    });
  }

  /** Reads the list again, and keeps the problem that is shown. */
  async #refresh(): Promise<void> {
    const { problem } = this.get();
    await this.#attempt(async () => this.#show({ keys: await this.#api.call('apiKey.list', {}) }));
    this.#show({ problem });
  }

  /** Returns whether the work succeeded. Its problem is in the state. */
  async #attempt(work: () => Promise<void>): Promise<boolean> {
    this.#show({ isBusy: true, problem: null });
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { status } = this.get();
      const problem = { code: error.code === 'http' ? 'api.message' : error.code, message: error.message };
      this.#show({ status: status === 'loading' ? 'failed' : status, problem });
      return false;
    } finally {
      this.#show({ isBusy: false });
    }
  }

  #show(change: Partial<ApiKeysState>): void {
    this.set({ ...this.get(), ...change });
  }
}
