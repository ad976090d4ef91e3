import type { ResultItem } from '../../../../contract/result.ts';
import { searchHistory } from '../../../model/console/search-history.ts';
import { withOlder } from './with-older.ts';

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
