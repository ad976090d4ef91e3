import type { FilterRule } from '../../../contract/trigger.ts';

/** The longest text that a value of a body becomes (UTF-16 units). */
const maxText = 50_000;

/**
 * Returns the value at a path of names and places: `valueAt(body, 'issue.labels.0.name')`. Undefined where the body has none: a path never reaches what the
 * body itself does not have.
 */
export function valueAt(body: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    return (at as Readonly<Record<string, unknown>>)[name];
  }, body);
}

/** Returns a value as the text of a field: lists and records as JSON. Null for none. */
export function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, maxText).toWellFormed().replaceAll('\0', '');
}

/** Returns the first rule that a body does not fit; null where it fits all. A list contains a value that is one of its entries. */
export function unmetRule(body: unknown, rules: readonly FilterRule[]): FilterRule | null {
  return (
    rules.find(({ path, is, value }) => {
      const found = valueAt(body, path);
      if (is === 'equal') return textOf(found) !== value;
      if (is === 'different') return textOf(found) === value;
      return Array.isArray(found) ? !found.some((entry) => textOf(entry) === value) : !textOf(found)?.includes(value);
    }) ?? null
  );
}
