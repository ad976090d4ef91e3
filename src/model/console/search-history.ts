import type { ResultItem } from '../../../contract/result.ts';

/** The items in which the query occurs, in any case, in request, result, summary or tags; all of them for a blank query. W2.18 */
export function searchHistory(items: readonly ResultItem[], query: string): ResultItem[] {
  const needle = query.trim().toLocaleLowerCase();
  if (!needle) return [...items];
  return items.filter((item) =>
    [item.userRequest, item.finalResult, item.summary, item.tags].some((text) => text.toLocaleLowerCase().includes(needle)),
  );
}
