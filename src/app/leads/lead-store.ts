import type { Lead, LeadComment } from '../../../contract/lead.ts';
import type { Api } from '../../api/create-api.ts';
import { type ApiListState, ApiListStore, removeIfThere } from '../api-list/api-list-store.ts';

/** The comments that have been read, by lead, oldest first. */
type Comments = { comments: Readonly<Record<string, readonly LeadComment[]>> };

export type LeadsState = ApiListState<Lead> & Comments;

/** The demo requests for staff. P7.03 */
export class LeadStore extends ApiListStore<Lead, Comments> {
  readonly #newId: () => string;

  constructor(api: Api, newId: () => string) {
    super(api, { comments: {} });
    this.#newId = newId;
  }

  setStatus(id: string, status: Lead['status']): Promise<boolean> {
    return this.attempt(async () => this.put(await this.api.call('lead.setStatus', { params: { id }, body: { status } })));
  }

  setPriority(id: string, priority: Lead['priority']): Promise<boolean> {
    return this.attempt(async () => this.put(await this.api.call('lead.update', { params: { id }, body: { priority } })));
  }

  /** Removes a request with its comments. */
  remove(id: string): Promise<boolean> {
    return this.attempt(async () => {
      await removeIfThere(() => this.api.call('lead.remove', { params: { id } }));
      this.drop(id);
    });
  }

  readComments(id: string): Promise<boolean> {
    return this.attempt(async () => this.#showComments(id, await this.api.call('lead.comments', { params: { id } })));
  }

  addComment(id: string, text: string): Promise<boolean> {
    return this.attempt(async () => {
      const added = await this.api.call('lead.addComment', { params: { id }, body: { text }, idempotencyKey: this.#newId() });
      this.#showComments(id, [...(this.get().comments[id] ?? []), added]);
    });
  }

  protected read(): Promise<Lead[]> {
    return this.readPages((query) => this.api.call('lead.list', { query }));
  }

  #showComments(id: string, comments: readonly LeadComment[]): void {
    this.show({ comments: { ...this.get().comments, [id]: comments } });
  }
}
