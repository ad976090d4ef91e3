import { searchKey, searchWords } from '../../../../rules/text/search-key.ts';

/** Whether every word of the query occurs in the text, in any case; an empty query matches all. */
export function matchesQuery(text: string, query: string): boolean {
  const haystack = searchKey(text);
  return searchWords(query).every((word) => haystack.includes(word));
}
