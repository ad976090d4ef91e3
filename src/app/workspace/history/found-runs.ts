import type { ResultItem } from '../../../../contract/result.ts';
import { searchHistory } from '../../../model/console/search-history.ts';

/**
 * Returns the runs that contain a text: those that the page finds in the history, and those of the server's answer. The server
 * searches whole results and older runs.
 */
export function foundRuns(
  items: readonly ResultItem[],
  answered: readonly ResultItem[] | null,
  gone: ReadonlySet<string>,
  text: string,
): ResultItem[] {
  const found = new Set([...searchHistory(items, text), ...(answered ?? [])].map(({ id }) => id));
  return withOlder(items, answered, gone).filter(({ id }) => found.has(id));
}

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
