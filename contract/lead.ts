import { z } from 'zod';
import { entity, id, page, wordOrPlace } from './common.ts';
import { day, endOf, startOf } from './day.ts';
import { email } from './email.ts';

export const leadStatuses = ['new', 'contacted', 'qualified', 'won', 'lost'] as const;
export const leadPriorities = ['low', 'normal', 'high'] as const;

const name = z.string().trim().min(1).max(120);
const line = z.string().trim().max(200);
const comment = z.string().trim().max(200);
const source = z.string().trim().toLowerCase().min(1).max(60);

/** A demo request, with the fields of the staff. */
export const lead = entity.extend({
  name: z.string(),
  email: z.string(),
  company: z.string(),
  role: z.string(),
  comment: z.string(),
  consent: z.boolean(),
  status: z.enum(leadStatuses),
  /** The source of the request; `landing` for the form of the landing page. */
  source: z.string(),
  priority: z.enum(leadPriorities),
});
export type Lead = z.infer<typeof lead>;

/** A demo request of a visitor. It needs consent to the processing of personal data. */
export const leadCreation = z.object({
  name,
  email,
  company: line.default(''),
  role: line.default(''),
  comment: comment.default(''),
  consent: z.literal(true),
});
export type LeadCreation = z.output<typeof leadCreation>;

/** Changes by staff; a field that is left out keeps its value. */
export const leadUpdate = z.object({
  name: name.optional(),
  email: email.optional(),
  company: line.optional(),
  role: line.optional(),
  comment: comment.optional(),
  source: source.optional(),
  priority: wordOrPlace(leadPriorities).optional(),
});

export const leadStatusChange = z.object({ status: wordOrPlace(leadStatuses) });

export const leadComment = z.object({ id, authorId: id, text: z.string(), createdAt: z.iso.datetime() });
export type LeadComment = z.infer<typeof leadComment>;

export const leadCommentCreation = z.object({ text: z.string().trim().min(1).max(2_000) });

export const byLeadStatus = z.object({ status: wordOrPlace(leadStatuses) });
export const byLeadPriority = z.object({ priority: wordOrPlace(leadPriorities) });
export const byLeadSource = z.object({ source });

/** Both ends are included. A day as the end includes the whole day in UTC. */
export const leadDateRange = page
  .extend({ startDate: day, endDate: day })
  .refine(({ startDate, endDate }) => startOf(startDate) < endOf(endDate), { path: ['endDate'], params: { rule: 'endAfterStart' } });
