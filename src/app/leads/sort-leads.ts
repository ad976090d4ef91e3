import { type Lead, leadPriorities, leadStatuses } from '../../../contract/lead.ts';
import { searchKey, searchWords } from '../../../rules/text/search-key.ts';

export const leadColumns = ['name', 'status', 'priority', 'source', 'created'] as const;
type LeadColumn = (typeof leadColumns)[number];
export type LeadOrder = { column: LeadColumn; descending: boolean };

/** Newest first, as in the server's list. */
export const firstOrder: LeadOrder = { column: 'created', descending: true };

/** Returns the requests of a status that contain every word of the query, in order. Of equal ones the newest is first. */
export function sortLeads(
  leads: readonly Lead[],
  query: string,
  status: Lead['status'] | null,
  order: LeadOrder,
  language: string,
): Lead[] {
  const words = searchWords(query);
  const collator = new Intl.Collator(language, { sensitivity: 'base', numeric: true });
  const compare: Record<LeadColumn, (a: Lead, b: Lead) => number> = {
    name: (a, b) => collator.compare(a.name, b.name),
    status: (a, b) => leadStatuses.indexOf(a.status) - leadStatuses.indexOf(b.status),
    priority: (a, b) => leadPriorities.indexOf(a.priority) - leadPriorities.indexOf(b.priority),
    source: (a, b) => collator.compare(a.source, b.source),
    created: (a, b) => a.createdAt.localeCompare(b.createdAt),
  };
  const sign = order.descending ? -1 : 1;
  return leads
    .filter((lead) => status === null || lead.status === status)
    .filter(({ name, email, company, role, comment }) => {
      const text = searchKey(`${name} ${email} ${company} ${role} ${comment}`);
      return words.every((word) => text.includes(word));
    })
    .sort((a, b) => sign * compare[order.column](a, b) || b.createdAt.localeCompare(a.createdAt) || a.id.localeCompare(b.id));
}

/** Returns the order after a click on a column: reversed if it was already sorted by it. Numbers and dates start with the largest. */
export function nextOrder({ column, descending }: LeadOrder, clicked: LeadColumn): LeadOrder {
  if (clicked === column) return { column, descending: !descending };
  return { column: clicked, descending: clicked === 'created' || clicked === 'priority' };
}
