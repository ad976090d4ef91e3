/** A text as searches compare it: in lower case, composed (NFC), with `ё` as `е`. The function `search_key` of the database does the same. */
export function searchKey(text: string): string {
  return text.toLowerCase().normalize('NFC').replaceAll('ё', 'е');
}

/** The words of a query, each once, as searches compare them. */
export function searchWords(query: string): string[] {
  return [...new Set(searchKey(query).split(/\s+/))].filter(Boolean);
}

/** The words of a query, each once, as they are written, for `search_key` of the database: its İ and its final Σ are not those of JavaScript. */
export function writtenWords(query: string): string[] {
  return [...new Set(query.split(/\s+/))].filter(Boolean);
}
