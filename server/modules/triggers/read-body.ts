import { eventPath, type FilterRule } from '../../../contract/trigger.ts';
import { namesOf } from '../../../rules/text/body-path.ts';

/** What has come in. `event`: its kind, as the header of its sender says it; null where none does. */
type Received = { body: unknown; event: string | null };

/** The longest text that a value of a body becomes (UTF-16 units). */
const maxText = 50_000;

/**
 * Returns the value at a path of names and places, as `issue.labels.0.name`, or the kind of the event at `$event`. Undefined where there is none: a path never
 * reaches what the body itself does not have.
 */
export function valueAt({ body, event }: Received, path: string): unknown {
  if (path === eventPath) return event ?? undefined;
  return namesOf(path).reduce<unknown>((at, name) => {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    return (at as Readonly<Record<string, unknown>>)[name];
  }, body);
}

/** Returns a value as the text of a field: lists and records as JSON. Null for none. */
export function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, maxText).toWellFormed().replaceAll('\0', '');
}

/** Returns the first rule that what has come in does not fit; null where it fits all. A list contains a value that is one of its entries. */
export function unmetRule(received: Received, rules: readonly FilterRule[]): FilterRule | null {
  return (
    rules.find(({ path, is, value }) => {
      const found = valueAt(received, path);
      if (is === 'equal') return textOf(found) !== value;
      if (is === 'different') return textOf(found) === value;
      return Array.isArray(found) ? !found.some((entry) => textOf(entry) === value) : !textOf(found)?.includes(value);
    }) ?? null
  );
}
