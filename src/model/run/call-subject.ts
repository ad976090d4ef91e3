import { withoutHidden } from '../../../rules/text/hidden-characters.ts';

/** The most characters of a subject. */
const maxLength = 80;
/** Arguments that say best what a call is about. */
const telling = ['path', 'text', 'folder', 'url', 'query', 'pattern'];

/**
 * Returns what a call is about, for one line: its path, text, folder or address, the two paths of a move, else its first text. It is as a reader sees it, and
 * empty without any.
 */
export function callSubject(args: string): string {
  const values = textsOf(args);
  const [from, to] = [values.get('from'), values.get('to')];
  const moved = from !== undefined && to !== undefined && values.size === 2 ? `${from} → ${to}` : undefined;
  const found = moved ?? telling.map((name) => values.get(name)).find((text) => text !== undefined) ?? values.values().next().value ?? '';
  const text = withoutHidden(found.replace(/\s+/g, ' ')).trim();
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`;
}

function textsOf(args: string): Map<string, string> {
  try {
    const value: unknown = JSON.parse(args);
    if (typeof value !== 'object' || value === null) return new Map();
    return new Map(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    return new Map();
  }
}
