import { ApiError } from '../../api/api-error.ts';
import type { Api } from '../../api/create-api.ts';
import { everyPage } from '../../model/every-page.ts';
import { type ApiState, ApiStore } from './api-store.ts';

export type ApiListState<Item> = ApiState & { items: readonly Item[] };

/** A list over the API, with what else its page shows. A change is shown only after the server has made it. */
export abstract class ApiListStore<Item extends { id: string }, More extends object> extends ApiStore<{ items: readonly Item[] }, More> {
  constructor(api: Api, more: More) {
    super(api, { items: [], ...more });
  }

  load(): Promise<boolean> {
    return this.attempt(async () => this.show(await this.#readList()));
  }

  /** Reads the list once more after a call that may have changed it. */
  protected reread(): Promise<void> {
    return this.quietly(() => this.#readList());
  }

  async #readList(): Promise<Partial<ApiListState<Item>>> {
    return { items: await this.read(), status: 'ready' };
  }

  /** Reads the whole list. */
  protected abstract read(): Promise<readonly Item[]>;

  /** Reads a list that the server sends in pages. */
  protected async readPages(readPage: (query: { limit: number; offset: number }) => Promise<Item[]>): Promise<Item[]> {
    return (await everyPage(async (query) => ({ ok: true as const, value: await readPage(query) }))).value;
  }

  protected put(changed: Item): void {
    this.show({ items: this.get().items.map((item) => (item.id === changed.id ? changed : item)) });
  }

  protected drop(id: string): void {
    this.show({ items: this.get().items.filter((item) => item.id !== id) });
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
