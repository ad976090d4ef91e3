import type { ResultItem } from '../../../../contract/result.ts';

/**
 * The history with the older runs that a search has brought, each once, less those that were removed meanwhile: the history holds
 * whatever is as new as its last.
 */
export function withOlder(items: readonly ResultItem[], older: readonly ResultItem[] | null, gone: ReadonlySet<string>): ResultItem[] {
  const last = items.at(-1);
  if (!older || !last) return [...items];
  const known = new Set(items.map(({ id }) => id));
  return [...items, ...older.filter(({ id, createdAt }) => createdAt <= last.createdAt && !known.has(id) && !gone.has(id))];
}
