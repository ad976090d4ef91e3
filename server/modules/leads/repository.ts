import type { Lead } from '../../../contract/lead.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, asc, count, desc, eq, gte, lt, sql } from '../../platform/database/drizzle.ts';
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
    list: async ({ status, source, priority, from, before }: LeadFilter, { limit, offset }: Page) => {
      const fitting = and(
        status && eq(leads.status, status),
        source === undefined ? undefined : eq(leads.source, source),
        priority && eq(leads.priority, priority),
        from && gte(leads.createdAt, from),
        before && lt(leads.createdAt, before),
      );
      const [all] = await db.select({ total: count() }).from(leads).where(fitting);
      const newest = db.select().from(leads).where(fitting).orderBy(desc(leads.createdAt), desc(leads.id));
      return { rows: await newest.limit(limit).offset(offset), total: all?.total ?? 0 };
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
    comments: async (leadId: string, { limit, offset }: Page) => {
      const here = eq(leadComments.leadId, leadId);
      const [all] = await db.select({ total: count() }).from(leadComments).where(here);
      const oldest = db.select().from(leadComments).where(here).orderBy(asc(leadComments.createdAt), asc(leadComments.id));
      return { rows: await oldest.limit(limit).offset(offset), total: all?.total ?? 0 };
    },
  };
}
