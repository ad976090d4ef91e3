import type { ResultItem } from '../../../contract/executions/result.ts';

/** Returns the items with the query in request, result, summary or tags, in any case; all items for a blank query. W2.18 */
export function searchHistory(items: readonly ResultItem[], query: string): ResultItem[] {
  const needle = query.trim().toLocaleLowerCase();
  if (!needle) return [...items];
  return items.filter((item) =>
    [item.userRequest, item.finalResult, item.summary, item.tags].some((text) => text.toLocaleLowerCase().includes(needle)),
  );
}
