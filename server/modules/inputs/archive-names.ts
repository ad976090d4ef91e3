import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import type { Entry } from 'yauzl';
import { lazily } from '../../platform/lazily.ts';
import { detectNameEncoding } from './text/detect-encoding.ts';

const iconv = lazily<typeof import('iconv-lite')>('iconv-lite');

type NamedEntry = Pick<Entry, 'fileNameRaw' | 'generalPurposeBitFlag' | 'extraFields'>;

const utf8Flag = 0x800;
/** The field in which 7-Zip, WinRAR and Info-ZIP repeat a name in UTF-8. */
const unicodePathField = 0x7075;
const versionBytes = 1;
const checksumBytes = 4;

/**
 * Returns a function that decodes the names of one archive. A name that does not say that it is UTF-8 has the encoding of the system that packed
 * it: one for all names, which is found by all of them together. Backslashes are slashes, and both normal forms of a name are one.
 */
export function createNameDecoder(entries: readonly NamedEntry[]): (entry: NamedEntry) => string {
  const silent = entries.filter((entry) => saidName(entry) === null).map(({ fileNameRaw }) => fileNameRaw);
  const encoding = silent.every((name) => isUtf8(name)) ? 'UTF-8' : detectNameEncoding(silent.filter((name) => !isAscii(name)));
  return (entry) => (saidName(entry) ?? iconv().decode(entry.fileNameRaw, encoding)).normalize('NFC').replaceAll('\\', '/');
}

/** Returns a name that the archive says in UTF-8, or null. */
function saidName({ fileNameRaw, generalPurposeBitFlag, extraFields }: NamedEntry): string | null {
  for (const { id, data } of extraFields) {
    const name = id === unicodePathField ? data.subarray(versionBytes + checksumBytes) : null;
    // The checksum is of the other name. Without it the entry was renamed by a program that does not know the field.
    if (name && name.length > 0 && isUtf8(name) && data.readUInt32LE(versionBytes) === crc32(fileNameRaw)) return name.toString();
  }
  return (generalPurposeBitFlag & utf8Flag) !== 0 && isUtf8(fileNameRaw) ? fileNameRaw.toString() : null;
}

function isAscii(name: Buffer): boolean {
  return name.every((byte) => byte < 0x80);
}

/** What systems put into folders beside the files of people. */
const systemFiles = new Set(['.ds_store', 'thumbs.db', 'ehthumbs.db', 'desktop.ini']);

export function isSystemFile(path: string): boolean {
  const names = path.toLowerCase().split('/');
  return names.includes('__macosx') || systemFiles.has(names.at(-1) ?? '');
}
