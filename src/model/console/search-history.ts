import type { ResultItem } from '../../../contract/executions/result.ts';
import { searchKey, searchWords } from '../../../rules/text/search-key.ts';

/** Returns the items with every word of the query in request, result, summary or tags, in any order; all items for a blank query. W2.18 */
export function searchHistory(items: readonly ResultItem[], query: string): ResultItem[] {
  const words = searchWords(query);
  if (words.length === 0) return [...items];
  return items.filter((item) => {
    const text = searchKey([item.userRequest, item.finalResult, item.summary, item.tags].join('\n'));
    return words.every((word) => text.includes(word));
  });
}
