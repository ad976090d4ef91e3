/** Applies a delta of a pack. Returns null for one that does not fit, or whose result is longer than `maxBytes`. */
export function applyDelta(base: Buffer, delta: Buffer, maxBytes: number): Buffer | null {
  let at = 0;
  const readSize = () => {
    let size = 0;
    for (let factor = 1; at < delta.length; factor *= 128) {
      const byte = delta[at++] as number;
      size += (byte & 0x7f) * factor;
      if (byte < 0x80) break;
    }
    return size;
  };
  const baseSize = readSize();
  const size = readSize();
  if (baseSize !== base.length || size > maxBytes) return null;
  const made = Buffer.allocUnsafe(size);
  let filled = 0;
  while (at < delta.length) {
    const code = delta[at++] as number;
    if (code < 0x80) {
      if (code === 0 || filled + code > size || at + code > delta.length) return null;
      filled += delta.copy(made, filled, at, at + code);
      at += code;
      continue;
    }
    let from = 0;
    let length = 0;
    for (let bit = 0; bit < 4; bit += 1) if (code & (1 << bit)) from += (delta[at++] ?? 0) * 2 ** (8 * bit);
    for (let bit = 0; bit < 3; bit += 1) if (code & (16 << bit)) length += (delta[at++] ?? 0) * 2 ** (8 * bit);
    if (length === 0) length = 0x10000;
    if (from + length > base.length || filled + length > size) return null;
    filled += base.copy(made, filled, from, from + length);
  }
  return filled === size ? made : null;
}
