import { type Lead, type LeadComment, type LeadCreation, lead, leadComment } from '../../../contract/lead.ts';
import { ApiError, orNotFound } from '../../http/api-error.ts';
import type { StoreIdempotentResponse } from '../../http/call.ts';
import type { Db } from '../../platform/database/database.ts';
import { viewOf } from '../../platform/database/view-of.ts';
import { type LeadChange, type LeadFilter, leadRepository, type Page } from './repository.ts';

type LeadsDeps = { db: Db; newId: () => string };

export type Leads = ReturnType<typeof createLeads>;

const landingPage = 'landing';

/** Requests for a demo: every visitor may send one, only the staff may read and change them. */
export function createLeads({ db, newId }: LeadsDeps) {
  const repository = leadRepository(db);
  return {
    async create(creation: LeadCreation): Promise<Lead> {
      return leadOf(await repository.add({ ...creation, id: newId(), source: landingPage }));
    },

    async list(filter: LeadFilter, page: Page): Promise<{ items: Lead[]; total: number }> {
      const { items, total } = await repository.list(filter, page);
      return { items: items.map((row) => leadOf(row)), total };
    },

    /** Throws `not_found`. */
    async get(id: string): Promise<Lead> {
      return leadOf(orNotFound(await repository.find(id)));
    },

    /** Throws `not_found`. */
    async update(id: string, change: LeadChange): Promise<Lead> {
      return leadOf(orNotFound(await repository.update(id, change)));
    },

    /** Throws `not_found`. */
    async remove(id: string): Promise<void> {
      if (!(await repository.remove(id))) throw new ApiError('not_found');
    },

    /** Throws `not_found`. */
    addComment(authorId: string, leadId: string, text: string, storeIdempotentResponse: StoreIdempotentResponse): Promise<LeadComment> {
      return db.transaction(async (tx) => {
        const inside = leadRepository(tx);
        if (!(await inside.hold(leadId))) throw new ApiError('not_found');
        const comment = commentOf(await inside.addComment({ id: newId(), leadId, authorId, text }));
        await storeIdempotentResponse(tx, comment);
        return comment;
      });
    },

    /** Throws `not_found`. */
    async comments(leadId: string, page: Page): Promise<{ items: LeadComment[]; total: number }> {
      orNotFound(await repository.find(leadId));
      const { items, total } = await repository.comments(leadId, page);
      return { items: items.map((row) => commentOf(row)), total };
    },
  };
}

const leadOf = viewOf(lead);
const commentOf = viewOf(leadComment);
