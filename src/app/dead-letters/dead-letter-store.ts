import type { DeadLetter } from '../../../contract/executions/dead-letter.ts';
import type { Api } from '../../api/create-api.ts';
import { ApiListStore } from '../api-list/api-list-store.ts';

type Settling = {
  /** The dead letter that is being retried or removed. */
  busyId: string | null;
  /** The outcome of the last retry or removal; null before one. */
  outcome: { kind: 'retried' | 'removed'; of: DeadLetter['kind'] } | null;
};

/** The dead letters for staff. */
export class DeadLetterStore extends ApiListStore<DeadLetter, Settling> {
  constructor(api: Api) {
    super(api, { busyId: null, outcome: null });
  }

  override load(): Promise<boolean> {
    this.show({ outcome: null });
    return super.load();
  }

  /** Retries the work. A letter that the server does not list any more is removed here too. */
  retry(letter: DeadLetter): Promise<void> {
    return this.#settle(letter, 'retried', () => this.api.call('deadLetter.retry', { params: { id: letter.id } }));
  }

  /** Removes the letter from the list. */
  remove(letter: DeadLetter): Promise<void> {
    return this.#settle(letter, 'removed', () => this.api.call('deadLetter.remove', { params: { id: letter.id } }));
  }

  protected read(): Promise<DeadLetter[]> {
    return this.readPages((query) => this.api.call('deadLetter.list', { query }));
  }

  async #settle(letter: DeadLetter, kind: 'retried' | 'removed', work: () => Promise<unknown>): Promise<void> {
    if (this.get().busyId !== null) return;
    this.show({ busyId: letter.id, outcome: null, problem: null });
    await this.attempt(
      async () => {
        await work();
        this.drop(letter.id);
        this.show({ outcome: { kind, of: letter.kind } });
      },
      ({ status, code }) => {
        if (status === 404) this.drop(letter.id);
        if (code === 'work_gone') this.put({ ...letter, workId: null });
      },
    );
    this.show({ busyId: null });
  }
}
