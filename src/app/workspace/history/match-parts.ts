import { searchKey, searchWords } from '../../../../rules/text/search-key.ts';

type TextPart = { text: string; match: boolean; at: number };

/** Splits a text at the words of a query, so that they can be marked; `at` is the part's place in the text. */
export function matchParts(text: string, query: string): TextPart[] {
  const words = searchWords(query);
  if (words.length === 0) return [{ text, match: false, at: 0 }];
  const { key, places } = keyWithPlaces(text);
  const parts: TextPart[] = [];
  let from = 0;
  for (const { at, end } of matchesOf(key, words)) {
    const [first, last] = [places[at] ?? 0, places[end] ?? text.length];
    if (first < from) continue;
    if (first > from) parts.push({ text: text.slice(from, first), match: false, at: from });
    parts.push({ text: text.slice(first, last), match: true, at: first });
    from = last;
  }
  if (from < text.length) parts.push({ text: text.slice(from), match: false, at: from });
  return parts;
}

/** The key of a text, and for each place in it the place in the text. A letter and its marks may be one character in the key. */
function keyWithPlaces(text: string): { key: string; places: number[] } {
  let key = '';
  const places: number[] = [];
  for (const { 0: letter, index } of text.matchAll(/[^\p{M}]\p{M}*|\p{M}+/gu)) {
    key += searchKey(letter);
    while (places.length < key.length) places.push(index);
  }
  return { key, places };
}

/** Where the words occur in a key, in order; of those that begin at one place the longest is first. */
function matchesOf(key: string, words: readonly string[]): { at: number; end: number }[] {
  const found: { at: number; end: number }[] = [];
  for (const word of words) {
    for (let at = key.indexOf(word); at !== -1; at = key.indexOf(word, at + word.length)) found.push({ at, end: at + word.length });
  }
  return found.sort((a, b) => a.at - b.at || b.end - a.end);
}
