/** The bytes of a file's lines, or of pieces of a longer line, by a hash of the piece. */
export type HashedText = ReadonlyMap<number, number>;

const longestPiece = 64;
const hashes = 107_927;
/** Git takes a file with a zero byte in this part of it for binary. */
const searchedBytes = 8_000;
const [lineFeed, carriageReturn] = [10, 13];

/**
 * Hashes a file's lines, in pieces of at most 64 bytes, as Git does (`hash_chars` of diffcore-delta.c). In a text, CRLF counts as LF.
 */
export function hashText(bytes: Uint8Array): HashedText {
  const isText = !bytes.subarray(0, searchedBytes).includes(0);
  const counts = new Map<number, number>();
  let [high, low, length] = [0, 0, 0];
  const end = () => {
    const hash = (high + Math.imul(low, 0x61)) >>> 0;
    counts.set(hash % hashes, (counts.get(hash % hashes) ?? 0) + length);
    [high, low, length] = [0, 0, 0];
  };
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (isText && byte === carriageReturn && bytes[at + 1] === lineFeed) continue;
    const before = high;
    high = ((high << 7) ^ (low >>> 25)) >>> 0;
    low = ((low << 7) ^ (before >>> 25)) >>> 0;
    high = (high + byte) >>> 0;
    length += 1;
    if (length === longestPiece || byte === lineFeed) end();
  }
  if (length > 0) end();
  return counts;
}

/** Returns how many bytes of the second file come from the first. */
export function similarityOf(source: HashedText, target: HashedText): number {
  let copied = 0;
  const [small, large] = source.size < target.size ? [source, target] : [target, source];
  for (const [hash, length] of small) copied += Math.min(length, large.get(hash) ?? 0);
  return copied;
}
