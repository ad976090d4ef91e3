import { replaceUnstorable } from '../../../platform/database/storable-text.ts';
import { lazily } from '../../../platform/lazily.ts';
import { utf8WithMark } from './read-text.ts';

const iconv = lazily<typeof import('iconv-lite')>('iconv-lite');

/** A text file as it was read: its bytes, and its text in that encoding. */
export type EncodedText = { bytes: Buffer; text: string; encoding: string };

/**
 * Encodes a later version of a text file as the file itself is, also its byte order mark. A line with bytes that no character was made of keeps
 * them while it is unchanged. Returns null when the encoding lacks a character of the new version, or such a line was changed: the file would
 * lose what it had.
 */
export function writeBack(file: EncodedText, after: string): Buffer | null {
  const damaged = file.text.includes('\ufffd') ? damagedLines(file) : new Map<string, Buffer[]>();
  if (damaged === null || !encodeLines(file, file.text, damaged)?.equals(file.bytes)) return null;
  const written = encodeLines(file, after, damaged);
  return written && decode(written, file) === (damaged.size > 0 ? after.toWellFormed() : after) ? written : null;
}

const marks = ['efbbbf', 'fffe', 'feff'].map((mark) => Buffer.from(mark, 'hex'));

/** Returns the byte order mark of a file; empty without one. */
function markOf({ bytes, encoding }: EncodedText): Buffer {
  if (!encoding.startsWith('UTF-')) return Buffer.alloc(0);
  return marks.find((mark) => bytes.subarray(0, mark.length).equals(mark)) ?? Buffer.alloc(0);
}

const codecOf = (encoding: string) => (encoding === utf8WithMark ? 'UTF-8' : encoding);
const encode = (text: string, encoding: string) => iconv().encode(text, codecOf(encoding), { addBOM: false });

function decode(bytes: Buffer, file: EncodedText): string {
  const text = iconv().decode(bytes.subarray(markOf(file).length), codecOf(file.encoding), { stripBOM: false });
  return isWide(file) && bytes.length % 2 === 1 && !text.endsWith('\ufffd') ? `${text}\ufffd` : replaceUnstorable(text);
}

function isWide({ encoding }: EncodedText): boolean {
  return encoding.startsWith('UTF-16');
}

/** Returns the bytes of the lines that have a replacement, in order, by their text; null when lines of text and bytes do not agree. */
function damagedLines(file: EncodedText): Map<string, Buffer[]> | null {
  const lines = new Map<string, Buffer[]>();
  let from = markOf(file).length;
  let at = 0;
  while (at <= file.text.length) {
    const end = file.text.indexOf('\n', at);
    const last = end < 0;
    const line = file.text.slice(at, last ? undefined : end);
    const to = last ? file.bytes.length : endOfLine(file, from);
    if (to < 0) return null;
    if (line.includes('\ufffd')) {
      const known = lines.get(line);
      if (known) known.push(file.bytes.subarray(from, to));
      else lines.set(line, [file.bytes.subarray(from, to)]);
    }
    if (last) break;
    from = to + (isWide(file) ? 2 : 1);
    at = end + 1;
  }
  return lines;
}

/** Returns where the line feed after `from` begins, or -1. */
function endOfLine(file: EncodedText, from: number): number {
  if (!isWide(file)) return file.bytes.indexOf(0x0a, from);
  const lineFeed = encode('\n', file.encoding);
  for (let at = file.bytes.indexOf(lineFeed, from); at >= 0; at = file.bytes.indexOf(lineFeed, at + 1))
    if ((at - from) % 2 === 0) return at;
  return -1;
}

function encodeLines(file: EncodedText, text: string, damaged: ReadonlyMap<string, readonly Buffer[]>): Buffer | null {
  const parts = [markOf(file)];
  const used = new Map<string, number>();
  let from = 0;
  for (let at = text.indexOf('\ufffd'); damaged.size > 0 && at >= 0; at = text.indexOf('\ufffd', from)) {
    const start = text.lastIndexOf('\n', at) + 1;
    const end = text.indexOf('\n', at);
    const line = text.slice(start, end < 0 ? undefined : end);
    const known = damaged.get(line);
    const count = used.get(line) ?? 0;
    if (!known || count >= known.length) return null;
    used.set(line, count + 1);
    parts.push(encode(text.slice(from, start), file.encoding), known[count] as Buffer);
    from = start + line.length;
    if (end < 0) break;
  }
  parts.push(encode(text.slice(from), file.encoding));
  // Lines that look alike and differ in their bytes are told apart only by their order.
  for (const [line, count] of used) {
    const known = damaged.get(line) ?? [];
    if (count !== known.length && known.some((bytes) => !bytes.equals(known[0] as Buffer))) return null;
  }
  return Buffer.concat(parts);
}
