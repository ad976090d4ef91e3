/** Tells whether a record has any entry, without listing them. */
export function hasEntries(record: object): boolean {
  for (const _ in record) return true;
  return false;
}
