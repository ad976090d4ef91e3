/** UTF-16 by its byte order. */
export type Utf16 = 'UTF-16LE' | 'UTF-16BE';

/** Of the characters of a text without a mark more than this share is ASCII or Cyrillic: spaces, digits, line ends. */
const leastKnown = 0.02;

/** Returns the byte order that the mark at the beginning tells, or null. */
export function markedUtf16(bytes: Uint8Array): Utf16 | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'UTF-16LE';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'UTF-16BE' : null;
}

/**
 * Returns the byte order of UTF-16 without a mark; null for anything else. In one order all characters are usual ones, and some are ASCII or
 * Cyrillic. In the wrong order those are rare ones.
 */
export function guessUtf16(bytes: Buffer): Utf16 | null {
  if (bytes.length % 2 !== 0 || bytes.length === 0) return null;
  const sample = bytes.subarray(0, 64 * 1024);
  for (const order of ['UTF-16LE', 'UTF-16BE'] as const) {
    const text = decodeUtf16(sample, order);
    const known = text.match(/[\t\n\r -~\u0400-\u045f]/g)?.length ?? 0;
    if (!unusual.test(text) && known > text.length * leastKnown) return order;
  }
  return null;
}

/** Anything but line ends, ASCII, the alphabets of Europe, punctuation, and the writings of East Asia. */
const unusual =
  /[^\t\n\r\f -~\u00a0-\u017f\u0370-\u03ff\u0400-\u052f\u2010-\u2027\u2030-\u203a\u20a0-\u20bf\u2100-\u2122\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff00-\uffef]/;

/** Decodes UTF-16. A byte order mark is left out, and half a character at the end is one replacement. */
export function decodeUtf16(bytes: Buffer, order: Utf16): string {
  const body = bytes.subarray(markedUtf16(bytes) === order ? 2 : 0);
  const whole = body.subarray(0, body.length - (body.length % 2));
  const text = order === 'UTF-16LE' ? whole.toString('utf16le') : Buffer.from(whole).swap16().toString('utf16le');
  return body.length % 2 === 0 ? text : `${text}\ufffd`;
}
