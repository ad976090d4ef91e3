/** Parses a typed number: a comma or a point, spaces between thousands; NaN for anything else. */
export function parseNumber(text: string): number {
  const plain = text.replace(/[\s\u00a0\u202f]/g, '').replace(',', '.');
  return /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN;
}
