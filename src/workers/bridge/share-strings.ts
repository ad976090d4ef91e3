/** Longer strings are texts that seldom occur twice. */
const maxLength = 100;

/**
 * Makes equal short strings below `value` one string, in place. A message between threads has a copy of its own for each. Ids and names
 * of a large canvas take a third of the page's memory. Frozen values are left alone.
 */
export function shareStrings(value: unknown): void {
  if (isHolder(value)) share(value, new Map());
}

type Holder = Record<string, unknown>;

function share(holder: Holder, known: Map<string, string>): void {
  for (const key in holder) {
    const value = holder[key];
    if (isHolder(value)) share(value, known);
    else if (typeof value === 'string' && value.length <= maxLength) {
      const shared = known.get(value);
      if (shared === undefined) known.set(value, value);
      else holder[key] = shared;
    }
  }
}

function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null && !Object.isFrozen(value);
}
