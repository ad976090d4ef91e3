/** Whether PostgreSQL can store a text: it has neither NUL nor half surrogate pairs. */
function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Returns a text that PostgreSQL can store: without NUL, and with U+FFFD for each half surrogate pair. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** The same, with U+FFFD for each NUL too: the text keeps its length, and a reader sees that something was there. */
export function replaceUnstorable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

/** Whether all texts of a JSON value can be stored, the names of its fields too. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isStorable);
  return Object.entries(value).every(([key, inner]) => isStorableText(key) && isStorable(inner));
}
