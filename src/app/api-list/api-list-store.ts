import { ApiError } from '../../api/api-error.ts';
import type { Api } from '../../api/create-api.ts';
import type { Problem } from '../../model/problem.ts';
import { ObservableValue } from '../../state/observable.ts';

export type ApiListState<Item> = {
  status: 'loading' | 'ready' | 'failed';
  /** Whether the server has refused the account a call. */
  isForbidden: boolean;
  isBusy: boolean;
  /** The problem of the last call; null after a successful one. */
  problem: Problem | null;
  items: readonly Item[];
};

const itemsPerPage = 200;

/** A list over the API, with what else its page shows. A change is shown only after the server has made it. */
export abstract class ApiListStore<Item extends { id: string }, More extends object> extends ObservableValue<ApiListState<Item> & More> {
  protected readonly api: Api;

  constructor(api: Api, more: More) {
    super({ status: 'loading', isForbidden: false, isBusy: false, problem: null, items: [], ...more });
    this.api = api;
  }

  load(): Promise<boolean> {
    return this.attempt(async () => this.show({ items: await this.read(), status: 'ready' }));
  }

  /** Reads the whole list. */
  protected abstract read(): Promise<readonly Item[]>;

  /** Reads a list that the server sends in pages. */
  protected async readPages(readPage: (query: { limit: number; offset: number }) => Promise<readonly Item[]>): Promise<Item[]> {
    const items: Item[] = [];
    for (;;) {
      const page = await readPage({ limit: itemsPerPage, offset: items.length });
      items.push(...page);
      if (page.length < itemsPerPage) return items;
    }
  }

  /** Returns whether the work succeeded. Its problem is in the state. */
  protected async attempt(work: () => Promise<void>, onRefused: (error: ApiError) => void = () => {}): Promise<boolean> {
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
      this.show({ isBusy: false });
    }
  }

  protected put(changed: Item): void {
    this.show({ items: this.get().items.map((item) => (item.id === changed.id ? changed : item)) });
  }

  protected drop(id: string): void {
    this.show({ items: this.get().items.filter((item) => item.id !== id) });
  }

  protected show(change: Partial<ApiListState<Item>> | Partial<More>): void {
    this.set({ ...this.get(), ...change });
  }
}

/** Removes something on the server. What is gone already is no failure. */
export async function removeIfThere(call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
}
