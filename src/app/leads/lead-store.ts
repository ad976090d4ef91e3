import type { Lead, LeadComment } from '../../../contract/lead.ts';
import { ApiError } from '../../api/api-error.ts';
import type { Api } from '../../api/create-api.ts';
import { ObservableValue } from '../../state/observable.ts';

export type LeadsState = {
  status: 'loading' | 'ready' | 'failed' | 'forbidden';
  /** The server's message about the last failed call; null after a successful one. */
  problem: { code: string; message: string } | null;
  leads: readonly Lead[];
  /** The comments that have been read, by lead, oldest first. */
  comments: Readonly<Record<string, readonly LeadComment[]>>;
};

const leadsPerPage = 200;

/** The demo requests for staff. A change is shown only after the server has made it. P7.03 */
export class LeadStore extends ObservableValue<LeadsState> {
  readonly #api: Api;
  readonly #newId: () => string;

  constructor(api: Api, newId: () => string) {
    super({ status: 'loading', problem: null, leads: [], comments: {} });
    this.#api = api;
    this.#newId = newId;
  }

  /** Reads all requests, page by page. */
  load(): Promise<boolean> {
    return this.#attempt(async () => {
      const leads: Lead[] = [];
      for (;;) {
        const page = await this.#api.call('lead.list', { query: { limit: leadsPerPage, offset: leads.length } });
        leads.push(...page);
        if (page.length < leadsPerPage) break;
      }
      this.#show({ leads, status: 'ready' });
    });
  }

  setStatus(id: string, status: Lead['status']): Promise<boolean> {
    return this.#attempt(async () => this.#put(await this.#api.call('lead.setStatus', { params: { id }, body: { status } })));
  }

  setPriority(id: string, priority: Lead['priority']): Promise<boolean> {
    return this.#attempt(async () => this.#put(await this.#api.call('lead.update', { params: { id }, body: { priority } })));
  }

  /** Removes a request with its comments. A request that is already removed is no failure. */
  remove(id: string): Promise<boolean> {
    return this.#attempt(async () => {
      try {
        await this.#api.call('lead.remove', { params: { id } });
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 404) throw error;
      }
      this.#show({ leads: this.get().leads.filter((lead) => lead.id !== id) });
    });
  }

  readComments(id: string): Promise<boolean> {
    return this.#attempt(async () => {
      const comments = await this.#api.call('lead.comments', { params: { id } });
      this.#show({ comments: { ...this.get().comments, [id]: comments } });
    });
  }

  addComment(id: string, text: string): Promise<boolean> {
    return this.#attempt(async () => {
      const added = await this.#api.call('lead.addComment', { params: { id }, body: { text }, idempotencyKey: this.#newId() });
      this.#show({ comments: { ...this.get().comments, [id]: [...(this.get().comments[id] ?? []), added] } });
    });
  }

  #put(changed: Lead): void {
    this.#show({ leads: this.get().leads.map((lead) => (lead.id === changed.id ? changed : lead)) });
  }

  /** Returns whether the call succeeded. A problem is stored in the state. */
  async #attempt(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      this.#show({ problem: null });
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { status } = this.get();
      const next = error.status === 403 ? 'forbidden' : status === 'loading' ? 'failed' : status;
      this.#show({ status: next, problem: { code: error.code === 'http' ? 'api.message' : error.code, message: error.message } });
      return false;
    }
  }

  #show(change: Partial<LeadsState>): void {
    this.set({ ...this.get(), ...change });
  }
}
