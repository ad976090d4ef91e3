import type { ResultItem } from '../../../../contract/result.ts';
import { searchHistory } from '../../../model/console/search-history.ts';
import { withOlder } from './with-older.ts';

/**
 * The runs in which a text occurs: those of the history in which the page finds it, and those that the server has `answered`, which
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
