import { isUtf8 } from 'node:buffer';
import { replaceUnstorable } from '../../../platform/database/storable-text.ts';
import { lazily } from '../../../platform/lazily.ts';
import { detectEncoding, sampleOf } from './detect-encoding.ts';
import { decodeUtf16, guessUtf16, markedUtf16, type Utf16 } from './read-utf16.ts';

const iconv = lazily<typeof import('iconv-lite')>('iconv-lite');

/**
 * A text with the encoding that it was read in: null for plain UTF-8, whose bytes the text has. `replaced` counts the bytes that no character was
 * made of. Each is one U+FFFD in the text.
 */
export type TextRead = { text: string; encoding: string | null; replaced: number };

export const utf8WithMark = 'UTF-8 BOM';
const utf8Damaged = 'UTF-8';

/** Of the characters above ASCII at most this share is damaged, or it is no UTF-8. */
const maxDamaged = 0.2;
/** Of a text in ASCII with bytes that belong to no encoding, at most this share is damaged. */
const maxStray = 0.01;
/** Of a text with a byte order mark of UTF-16 at most this share is no character. */
const maxBroken = 0.01;
/** Fewer characters above ASCII tell no encoding but those that words show. */
const fewDamaged = 4;

/** Reads a text in UTF-8, UTF-16, or an older encoding. Returns null for what is no text. */
export function readText(bytes: Buffer): TextRead | null {
  const marked = markedUtf16(bytes) ?? (bytes.includes(0) || bytes.includes(cyrillicRow) ? guessUtf16(bytes) : null);
  if (marked) return readUtf16(bytes, marked);
  if (bytes.includes(0)) return null;
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  if (isUtf8(bytes)) return { text: bytes.toString('utf8', hasMark ? 3 : 0), encoding: hasMark ? utf8WithMark : null, replaced: 0 };
  const readDamaged = (): TextRead => {
    const text = bytes.toString('utf8', hasMark ? 3 : 0);
    return { text, encoding: hasMark ? utf8WithMark : utf8Damaged, replaced: countReplaced(text) };
  };
  const sample = sampleOf(bytes);
  const inUtf8 = sample.toString('utf8');
  const damaged = countReplaced(inUtf8);
  const whole = inUtf8.match(/[^\0-\x7f\ufffd]/g)?.length ?? 0;
  if (hasMark || damaged <= (damaged + whole) * maxDamaged) return readDamaged();
  if (hasControls(bytes)) return null;
  const encoding = detectEncoding(sample, damaged < fewDamaged);
  if (encoding) {
    const text = iconv().decode(bytes, encoding);
    return { text, encoding, replaced: countReplaced(text) };
  }
  return damaged <= bytes.length * maxStray ? readDamaged() : null;
}

/** The upper half of a Cyrillic character in UTF-16, and a control character elsewhere. */
const cyrillicRow = 4;

function readUtf16(bytes: Buffer, encoding: Utf16): TextRead | null {
  const text = replaceUnstorable(decodeUtf16(bytes, encoding));
  const sample = text.slice(0, sampleLength);
  const broken = sample.match(noCharacters)?.length ?? 0;
  return broken > Math.max(1, sample.length * maxBroken) ? null : { text, encoding, replaced: countReplaced(text) };
}

const sampleLength = 64 * 1024;
/** What texts do not have: control characters but those of lines and terminals, replacements, unassigned and private characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it finds them
const noCharacters = /[\0-\x07\x0e-\x19\x1c-\x1f\ufffd\p{Cn}\p{Co}]/gu;

/** An escape begins a colour of a terminal, and 1A ends files of DOS. */
function hasControls(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte < 0x20 && (byte < 0x08 || (byte > 0x0d && byte !== 0x1a && byte !== 0x1b))) return true;
  }
  return false;
}

function countReplaced(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\ufffd'); at >= 0; at = text.indexOf('\ufffd', at + 1)) count += 1;
  return count;
}
