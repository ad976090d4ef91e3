import type { Lead } from '../../../contract/lead.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, asc, desc, eq, gte, lt, sql } from '../../platform/database/drizzle.ts';
import { readPage } from '../../platform/database/owned-rows.ts';
import { leadComments, leads } from './tables.ts';

type LeadRow = typeof leads.$inferSelect;
type LeadCommentRow = typeof leadComments.$inferSelect;
export type LeadChange = Partial<Omit<LeadRow, 'id' | 'consent' | 'createdAt' | 'updatedAt'>>;

export type LeadFilter = { status?: Lead['status']; source?: string; priority?: Lead['priority']; from?: Date; before?: Date };
export type Page = { limit: number; offset: number };

/** Demo requests and the staff's comments on them. They belong to the server's operator, so no query names an owner. */
export function leadRepository(db: Db) {
  return {
    /** Newest first. */
    list: ({ status, source, priority, from, before }: LeadFilter, page: Page) => {
      const fitting = and(
        status && eq(leads.status, status),
        source === undefined ? undefined : eq(leads.source, source),
        priority && eq(leads.priority, priority),
        from && gte(leads.createdAt, from),
        before && lt(leads.createdAt, before),
      );
      return readPage(db, { table: leads, where: fitting, order: [desc(leads.createdAt), desc(leads.id)] }, page);
    },

    find: async (id: string): Promise<LeadRow | null> => (await db.select().from(leads).where(eq(leads.id, id)))[0] ?? null,

    add: async (lead: typeof leads.$inferInsert): Promise<LeadRow> => {
      const [row] = await db.insert(leads).values(lead).returning();
      if (!row) throw new Error('The lead was not stored.');
      return row;
    },

    update: async (id: string, change: LeadChange): Promise<LeadRow | null> =>
      (
        await db
          .update(leads)
          .set({ ...change, updatedAt: sql`now()` })
          .where(eq(leads.id, id))
          .returning()
      )[0] ?? null,

    /** Removes a lead with its comments. False when there is none. */
    remove: async (id: string): Promise<boolean> => (await db.delete(leads).where(eq(leads.id, id)).returning({ id: leads.id })).length > 0,

    /** Whether the lead exists; it is locked until this transaction ends. */
    hold: async (id: string): Promise<boolean> =>
      (await db.select({ id: leads.id }).from(leads).where(eq(leads.id, id)).for('key share')).length > 0,

    addComment: async (comment: typeof leadComments.$inferInsert): Promise<LeadCommentRow> => {
      const [row] = await db.insert(leadComments).values(comment).returning();
      if (!row) throw new Error('The comment was not stored.');
      return row;
    },

    /** Oldest first. */
    comments: (leadId: string, page: Page) => {
      const { createdAt, id } = leadComments;
      return readPage(db, { table: leadComments, where: eq(leadComments.leadId, leadId), order: [asc(createdAt), asc(id)] }, page);
    },
  };
}
