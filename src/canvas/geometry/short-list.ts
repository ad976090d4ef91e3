/** A list up to this length has no room for more. */
const shortest = 8;

/**
 * Returns a list with one value more, the same one if it is long. A list that grows by `push` keeps room for 16 values more, and a large
 * canvas has tens of thousands of lists of one to three.
 */
export function withOne<T>(list: T[] | undefined, value: T): T[] {
  if (list === undefined) return [value];
  if (list.length < shortest) return list.concat([value]);
  list.push(value);
  return list;
}
