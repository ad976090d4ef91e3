import type { ResultItem } from '../../../../contract/result.ts';

/**
 * Merges the history with older runs of a search, each once, without those removed meanwhile: the history has
 * every run that is newer than its last.
 */
export function withOlder(items: readonly ResultItem[], older: readonly ResultItem[] | null, gone: ReadonlySet<string>): ResultItem[] {
  const last = items.at(-1);
  if (!older || !last) return [...items];
  const known = new Set(items.map(({ id }) => id));
  return [...items, ...older.filter(({ id, createdAt }) => createdAt <= last.createdAt && !known.has(id) && !gone.has(id))];
}
