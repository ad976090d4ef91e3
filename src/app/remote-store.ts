import { ApiError } from '../api/api-error.ts';
import type { Api } from '../api/create-api.ts';
import { ObservableValue } from '../state/observable.ts';

type Remote = {
  status: 'loading' | 'ready' | 'failed';
  /** The problem of the last call; null after a successful one. */
  problem: { code: string; message: string } | null;
  isBusy: boolean;
};

export const firstRemote: Remote = { status: 'loading', problem: null, isBusy: false };

/** What a window shows of the server and changes there. A change is shown only after the server has made it. */
export class RemoteStore<State extends object> extends ObservableValue<State & Remote> {
  protected readonly api: Api;

  constructor(api: Api, first: State) {
    super({ ...firstRemote, ...first });
    this.api = api;
  }

  /** Returns whether the work succeeded. Its problem is in the state. */
  protected async attempt(work: () => Promise<void>): Promise<boolean> {
    this.show({ isBusy: true, problem: null });
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { status } = this.get();
      const problem = { code: error.code === 'http' ? 'api.message' : error.code, message: error.message };
      this.show({ status: status === 'loading' ? 'failed' : status, problem });
      return false;
    } finally {
      this.show({ isBusy: false });
    }
  }

  /** Does work whose problem does not replace the one that is shown. */
  protected async quietly(work: () => Promise<void>): Promise<void> {
    const { problem } = this.get();
    await this.attempt(work);
    this.show({ problem });
  }

  protected show(change: Partial<Remote> | Partial<State & Remote>): void {
    this.set({ ...this.get(), ...change });
  }
}
