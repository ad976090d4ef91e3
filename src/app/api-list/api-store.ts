import { ApiError } from '../../api/api-error.ts';
import type { Api } from '../../api/create-api.ts';
import type { Problem } from '../../model/problem.ts';
import { ObservableValue } from '../../state/observable.ts';

export type ApiState = {
  status: 'loading' | 'ready' | 'failed';
  /** Whether the server has refused the account a call. */
  isForbidden: boolean;
  isBusy: boolean;
  /** The problem of the last call; null after a successful one. */
  problem: Problem | null;
};

/** What a part of the page shows of the API. A change is shown only after the server has made it. */
export class ApiStore<Own extends object, More extends object = Own> extends ObservableValue<ApiState & Own & More> {
  protected readonly api: Api;
  /** Counts the beginnings and the ends of calls. */
  #calls = 0;

  constructor(api: Api, first: Own & More) {
    super({ status: 'loading', isForbidden: false, isBusy: false, problem: null, ...first });
    this.api = api;
  }

  /** Returns whether the work succeeded. Its problem is in the state. */
  protected async attempt(work: () => Promise<void>, onRefused: (error: ApiError) => void = () => {}): Promise<boolean> {
    this.#calls += 1;
    this.show({ isBusy: true });
    try {
      await work();
      this.show({ problem: null });
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { status, code, message } = error;
      if (status === 403) this.show({ isForbidden: true });
      if (this.get().status === 'loading') this.show({ status: 'failed' });
      this.show({ problem: { code: code === 'http' ? 'api.message' : code, params: { message } } });
      onRefused(error);
      return false;
    } finally {
      this.#calls += 1;
      this.show({ isBusy: false });
    }
  }

  /**
   * Reads again what is shown, while no button waits for it: a press meanwhile is a call as any other one, and what was read before such a call
   * is left. A failure is not shown; what was read last stays.
   */
  protected async quietly(read: () => Promise<Parameters<typeof this.show>[0]>): Promise<void> {
    const calls = this.#calls;
    try {
      const found = await read();
      if (calls === this.#calls) this.show(found);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }

  protected show(change: Partial<ApiState> | Partial<ApiState & Own> | Partial<More>): void {
    this.set({ ...this.get(), ...change });
  }
}
