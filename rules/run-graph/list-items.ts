import { jsonIn } from './choose-links.ts';

/**
 * Returns the items of the list in an answer: of its first JSON array, else of its longest numbered list. Each item is a text; a JSON item
 * that is not a text is written as JSON. Null if the answer has no list.
 */
export function listItems(answer: string): string[] | null {
  const json = jsonIn(answer);
  const array = Array.isArray(json) ? json : onlyArrayOf(json);
  if (array) return array.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
  const longest = numberedLists(answer).reduce<string[]>((best, other) => (other.length > best.length ? other : best), []);
  return longest.length > 0 ? longest : null;
}

/**
 * Returns the items of a task, for a list that no step leads into: its list as of an answer, else its bulleted lines.
 * Without either each line is an item, after a line that ends with a colon. "Translate:\n- one\n- two" gives "one" and "two".
 */
export function taskItems(task: string): string[] {
  const listed = listItems(task);
  if (listed && listed.length !== 1) return listed;
  const bulleted = bulletedItems(task);
  if (bulleted.length > 0) return bulleted;
  if (listed) return listed;
  const lines = linesOf(task).flatMap((line) => line.trim() || []);
  return lines.length > 1 && lines[0]?.endsWith(':') ? lines.slice(1) : lines;
}

/** Indented lines belong to the item before, and so does the text right below it. */
function bulletedItems(text: string): string[] {
  const items: string[] = [];
  let indent = 0;
  let isBelow = false;
  for (const line of linesOf(text)) {
    const [, spaces = '', words] = /^( {0,3})[-*+•–—]\s+(\S.*)$/.exec(line) ?? [];
    const isInside = items.length > 0 && (words === undefined ? isBelow || /^\s/.test(line) : spaces.length > indent);
    if (line.trim() === '') isBelow = false;
    else if (isInside) items.push(`${items.pop()}\n${line.trim()}`);
    else if (words !== undefined) {
      items.push(words);
      indent = spaces.length;
      isBelow = true;
    }
  }
  return items;
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/);
}

/** All numbered lists of a text. Lines between two numbers that follow each other belong to the item before; so do lists inside an item. */
function numberedLists(text: string): string[][] {
  const lists: string[][] = [];
  let list: { items: string[]; indent: number; number: number } | null = null;
  let between: string[] = [];
  for (const line of linesOf(text)) {
    const [, spaces = '', digits, words = ''] = /^( {0,3})(\d{1,4})[.)]\s+(\S.*)$/.exec(line) ?? [];
    const number = Number(digits);
    if (digits !== undefined && !(list && spaces.length > list.indent)) {
      if (list && number === list.number + 1) {
        list.items[list.items.length - 1] += between.map((one) => `\n${one}`).join('');
        list.items.push(words);
        list.number = number;
      } else {
        list = { items: [words], indent: spaces.length, number };
        lists.push(list.items);
      }
      between = [];
    } else if (list && line.trim() !== '') {
      if (/^\s/.test(line) && between.length === 0) list.items.push(`${list.items.pop()}\n${line.trim()}`);
      else between.push(line.trim());
    }
  }
  return lists;
}

/** The only list among the fields of an object: `{ "items": [...] }`. */
function onlyArrayOf(json: unknown): unknown[] | null {
  if (typeof json !== 'object' || json === null) return null;
  const arrays = Object.values(json).filter((value) => Array.isArray(value));
  return arrays.length === 1 ? (arrays[0] as unknown[]) : null;
}
