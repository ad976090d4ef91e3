import { lazily } from '../../../platform/lazily.ts';
import { scoreChinese, scoreReading } from './score-reading.ts';

const iconv = lazily<typeof import('iconv-lite')>('iconv-lite');
const chardet = lazily<typeof import('chardet')>('chardet');

/** Bytes that are looked at, from where they are above ASCII. */
const sampleBytes = 64 * 1024;
const windowBytes = 1024;
/** A reading with a lower score is no text. Texts in Latin letters have few others, and each counts. */
const leastScore = 0.55;
const leastLatinScore = 0.5;
/** The least confidence of the detector, in percent. */
const leastConfidence = 30;

/** The encodings of files with how much less their readings count: they are rarer. Of equal ones the first counts. */
const ofFiles = {
  'Windows-1251': 0,
  CP866: 0,
  'KOI8-R': 0.1,
  'KOI8-U': 0.1,
  'Windows-1252': 0,
  'Windows-1250': 0.05,
  MacCyrillic: 0.15,
  'ISO-8859-5': 0.15,
};
/** The encodings of names in archives. */
const ofNames = { 'Windows-1251': 0, CP866: 0, CP437: 0, CP850: 0, 'Windows-1252': 0, 'KOI8-R': 0.1, 'KOI8-U': 0.1 };

/** Encodings of other writings, by the detector's names. */
const eastAsian = new Map([
  ['GB18030', 'GB18030'],
  ['Big5', 'Big5'],
  ['Shift_JIS', 'Shift_JIS'],
  ['EUC-JP', 'EUC-JP'],
  ['EUC-KR', 'EUC-KR'],
]);
const others = new Map([
  ...eastAsian,
  ['ISO-8859-2', 'ISO-8859-2'],
  ['ISO-8859-7', 'ISO-8859-7'],
  ['ISO-8859-8', 'ISO-8859-8'],
  ['ISO-8859-9', 'ISO-8859-9'],
  ['windows-1250', 'Windows-1250'],
  ['windows-1253', 'Windows-1253'],
  ['windows-1254', 'Windows-1254'],
  ['windows-1255', 'Windows-1255'],
  ['windows-1256', 'Windows-1256'],
]);

/** Returns the encoding of a text, by a sample of it, that is neither UTF-8 nor UTF-16; null when none
 * fits. `isShort`: it has few characters above ASCII, of which only words tell. */
export function detectEncoding(sample: Buffer, isShort: boolean): string | null {
  const best = bestReading(sample, ofFiles);
  const isClear = best !== null && best.score >= (latin.has(best.encoding) ? leastLatinScore : leastScore);
  if (isClear && best.encoding !== chinese) return best.encoding;
  if (isShort && !isClear) return null;
  const found = chardet()
    .analyse(sample)
    .filter(({ confidence }) => confidence >= leastConfidence)
    .flatMap(({ name }) => (isClear ? eastAsian : others).get(name) ?? [])
    .find((encoding) => !iconv().decode(sample, encoding).includes('\ufffd'));
  return found ?? (isClear ? best.encoding : null);
}

/** Returns the encoding that the names of one archive most probably have. None of them is ASCII or UTF-8. */
export function detectNameEncoding(names: readonly Buffer[]): string {
  const sample = Buffer.concat(names.flatMap((name) => [name, Buffer.from('\n')])).subarray(0, sampleBytes);
  return bestReading(sample, ofNames)?.encoding ?? 'CP866';
}

const latin = new Set(['Windows-1252', 'Windows-1250']);
const chinese = 'GB18030';

/** Returns the encoding whose reading has the highest score. */
function bestReading(sample: Buffer, encodings: Readonly<Record<string, number>>): { encoding: string; score: number } | null {
  const scored = Object.entries(encodings).map(([encoding, rarity]) => ({
    encoding,
    score: scoreReading(iconv().decode(sample, encoding)) - rarity,
  }));
  const score = scoreChinese(sample);
  if (score !== null) scored.push({ encoding: chinese, score });
  return scored.toSorted((one, other) => other.score - one.score)[0] ?? null;
}

/** Returns the parts of a text that are above ASCII, each with what follows it up to a line's end. */
export function sampleOf(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  let length = 0;
  for (let at = 0; at < bytes.length && length < sampleBytes; at += 1) {
    if ((bytes[at] as number) < 0x80) continue;
    const start = startOfWord(bytes, at);
    let end = Math.min(bytes.length, at + windowBytes);
    while (end < bytes.length && bytes[end] !== newLine) end += 1;
    end = Math.min(end, at + 2 * windowBytes);
    parts.push(bytes.subarray(start, end), Buffer.from('\n'));
    length += end - start + 1;
    at = end;
  }
  return Buffer.concat(parts);
}

const newLine = 0x0a;

/** Letters before the first one above ASCII tell its alphabet. */
function startOfWord(bytes: Buffer, at: number): number {
  let start = at;
  while (start > 0 && at - start < 16 && isLetter(bytes[start - 1] as number)) start -= 1;
  return start;
}

function isLetter(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
}
