import type { DeadLetter } from '../../../contract/executions/dead-letter.ts';
import { ApiError } from '../../api/api-error.ts';
import type { Api } from '../../api/create-api.ts';
import { ObservableValue } from '../../state/observable.ts';

export type DeadLettersState = {
  status: 'loading' | 'ready' | 'failed' | 'forbidden';
  /** The server's message about the last failed call; null after a successful one. */
  problem: { code: string; message: string } | null;
  letters: readonly DeadLetter[];
  /** The dead letter that is being retried or removed. */
  busyId: string | null;
  /** The outcome of the last retry or removal; null before one. */
  outcome: { kind: 'retried' | 'removed'; of: DeadLetter['kind'] } | null;
};

const lettersAPage = 200;

/** The dead letters for staff. A change is shown only after the server has made it. */
export class DeadLetterStore extends ObservableValue<DeadLettersState> {
  readonly #api: Api;

  constructor(api: Api) {
    super({ status: 'loading', problem: null, letters: [], busyId: null, outcome: null });
    this.#api = api;
  }

  /** Reads all dead letters, page by page. */
  async load(): Promise<void> {
    this.#show({ outcome: null });
    await this.#attempt(() => this.#readAll());
  }

  /** Retries the work. A letter that the server does not list any more is removed here too. */
  retry(letter: DeadLetter): Promise<void> {
    return this.#settle(letter, 'retried', () => this.#api.call('deadLetter.retry', { params: { id: letter.id } }));
  }

  /** Removes the letter from the list. */
  remove(letter: DeadLetter): Promise<void> {
    return this.#settle(letter, 'removed', () => this.#api.call('deadLetter.remove', { params: { id: letter.id } }));
  }

  async #settle(letter: DeadLetter, kind: 'retried' | 'removed', work: () => Promise<unknown>): Promise<void> {
    if (this.get().busyId !== null) return;
    this.#show({ busyId: letter.id, outcome: null, problem: null });
    const error = await this.#attempt(async () => {
      await work();
      this.#drop(letter.id);
      this.#show({ outcome: { kind, of: letter.kind } });
    });
    if (error?.status === 404) this.#drop(letter.id);
    if (error?.code === 'work_gone') this.#put({ ...letter, workId: null });
    this.#show({ busyId: null });
  }

  async #readAll(): Promise<void> {
    const letters: DeadLetter[] = [];
    for (;;) {
      const page = await this.#api.call('deadLetter.list', { query: { limit: lettersAPage, offset: letters.length } });
      letters.push(...page);
      if (page.length < lettersAPage) break;
    }
    this.#show({ letters, status: 'ready' });
  }

  #drop(id: string): void {
    this.#show({ letters: this.get().letters.filter((letter) => letter.id !== id) });
  }

  #put(changed: DeadLetter): void {
    this.#show({ letters: this.get().letters.map((letter) => (letter.id === changed.id ? changed : letter)) });
  }

  /** Returns null on success, else the problem, which is also in the state. */
  async #attempt(work: () => Promise<void>): Promise<ApiError | null> {
    try {
      await work();
      this.#show({ problem: null });
      return null;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { status } = this.get();
      const next = error.status === 403 ? 'forbidden' : status === 'loading' ? 'failed' : status;
      this.#show({ status: next, problem: { code: error.code === 'http' ? 'api.message' : error.code, message: error.message } });
      return error;
    }
  }

  #show(change: Partial<DeadLettersState>): void {
    this.set({ ...this.get(), ...change });
  }
}
