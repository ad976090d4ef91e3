import { jsonIn } from './choose-links.ts';

/**
 * The items of the list that an answer holds: of its first JSON array, else of its longest numbered list. Each item is a text; an item of JSON
 * that is no text is written as JSON. Null where the answer holds no list.
 */
export function listItems(answer: string): string[] | null {
  const json = jsonIn(answer);
  const array = Array.isArray(json) ? json : onlyArrayOf(json);
  if (array) return array.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
  const lists: string[][] = [];
  let list: string[] = [];
  for (const line of answer.split('\n')) {
    const numbered = /^ {0,3}(\d{1,4})[.)]\s+(\S.*)$/.exec(line);
    if (numbered) {
      if (Number(numbered[1]) === 1 && list.length > 0) {
        lists.push(list);
        list = [];
      }
      list.push(numbered[2] ?? '');
    } else if (list.length > 0 && /^\s+\S/.test(line)) list.push(`${list.pop()}\n${line.trim()}`);
    else if (list.length > 0 && line.trim() !== '') {
      lists.push(list);
      list = [];
    }
  }
  lists.push(list);
  const longest = lists.reduce((best, other) => (other.length > best.length ? other : best), []);
  return longest.length > 0 ? longest : null;
}

/** The only list among the fields of an object: `{ "items": [...] }`. */
function onlyArrayOf(json: unknown): unknown[] | null {
  if (typeof json !== 'object' || json === null) return null;
  const arrays = Object.values(json).filter((value) => Array.isArray(value));
  return arrays.length === 1 ? (arrays[0] as unknown[]) : null;
}
