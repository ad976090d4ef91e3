export type TextPart = { text: string; match: boolean; at: number };

/** Splits a text at the matches of a query, so that they can be marked; `at` is the part's place in the text. */
export function matchParts(text: string, query: string): TextPart[] {
  const needle = query.trim().toLocaleLowerCase();
  const haystack = text.toLocaleLowerCase();
  if (!needle || haystack.length !== text.length) return [{ text, match: false, at: 0 }];
  const parts: TextPart[] = [];
  let from = 0;
  for (let at = haystack.indexOf(needle); at !== -1; at = haystack.indexOf(needle, from)) {
    if (at > from) parts.push({ text: text.slice(from, at), match: false, at: from });
    parts.push({ text: text.slice(at, at + needle.length), match: true, at });
    from = at + needle.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), match: false, at: from });
  return parts;
}
