import type { ResultItem } from '../../../../contract/result.ts';

/** The history with the older runs that a search has brought, each once, less those that were removed meanwhile. */
export function withOlder(items: readonly ResultItem[], older: readonly ResultItem[] | null, gone: ReadonlySet<string>): ResultItem[] {
  if (!older) return [...items];
  const known = new Set(items.map(({ id }) => id));
  return [...items, ...older.filter(({ id }) => !known.has(id) && !gone.has(id))];
}
