import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { type InputRefusal, inputLimits } from '../../../contract/input.ts';
import { safePath } from '../files/index.ts';
import { createNameDecoder, isSystemFile } from './archive-names.ts';
import { InputRefused } from './input-refused.ts';

/** A file of an archive or a repository, or why it is left out. */
export type FoundFile = { path: string; content: Uint8Array; isExecutable: boolean } | { path: string; reason: InputRefusal };

/** The most unpacked bytes for each byte of an archive, above the first MiB. Text is packed to a tenth, and a bomb to a thousandth. */
const maxRatio = 200;
const freeBytes = 1024 * 1024;
/** Entries that are listed before other work has its turn: a few milliseconds. */
const entriesOfTurn = 500;
const slash = '/'.charCodeAt(0);

/**
 * Unpacks a ZIP, one file at a time. Refuses the whole archive when it is broken or encrypted, or has too many entries. It also refuses one
 * that would be larger than a set by the sizes that it declares, which no entry may exceed. Links, files that are too large, second
 * entries of one path and what systems add are left out. An archive within it stays packed. `isWanted` leaves others packed without a word.
 */
export async function* unpackArchive(bytes: Uint8Array, isWanted: (path: string) => boolean = () => true): AsyncGenerator<FoundFile> {
  const zip = await openZip(bytes);
  if (zip.entryCount > 2 * inputLimits.archiveFiles) throw new InputRefused('archive_count_exceeded');
  let total = 0;
  const entries = await entriesOf(zip);
  const nameOf = createNameDecoder(entries);
  if (entries.filter(({ fileNameRaw }) => fileNameRaw.at(-1) !== slash).length > inputLimits.archiveFiles)
    throw new InputRefused('archive_count_exceeded');
  for (const entry of entries) {
    const path = nameOf(entry);
    if (path.endsWith('/')) continue;
    total += entry.uncompressedSize;
    const safe = safePath(path);
    const name = safe.ok ? safe.path : path;
    if (isLocked(entry)) throw new InputRefused('archive_encrypted', path);
    if (total > inputLimits.setBytes || total > freeBytes + maxRatio * bytes.length) throw new InputRefused('archive_too_large');
    if (!isWanted(path)) continue;
    if (isSystemFile(name)) yield { path, reason: 'system_file' };
    else if (isLink(entry)) yield { path, reason: 'link' };
    else if (entry.uncompressedSize > inputLimits.fileBytes) yield { path, reason: 'too_large' };
    else yield { path, content: await contentOf(zip, entry, path), isExecutable: (modeOf(entry) & executableBits) !== 0 };
  }
}

async function openZip(bytes: Uint8Array): Promise<ZipFile> {
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    // Names are decoded here: the library refuses an archive for one bad name.
    return await fromBufferPromise(buffer, { lazyEntries: true, decodeStrings: false });
  } catch (cause) {
    throw new InputRefused('archive_unreadable', undefined, cause);
  }
}

async function entriesOf(zip: ZipFile): Promise<Entry[]> {
  try {
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) {
      entries.push(entry);
      // They come from memory, so that nothing else would be done before the last one.
      if (entries.length % entriesOfTurn === 0) await nextTurn();
    }
    return entries;
  } catch (cause) {
    // The library refuses encrypted directories by themselves.
    const isEncrypted = cause instanceof Error && /encrypt/i.test(cause.message);
    throw new InputRefused(isEncrypted ? 'archive_encrypted' : 'archive_unreadable', undefined, cause);
  }
}

async function contentOf(zip: ZipFile, entry: Entry, path: string): Promise<Uint8Array> {
  try {
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of await zip.openReadStreamPromise(entry)) {
      size += (part as Buffer).length;
      if (size > entry.uncompressedSize) throw new Error('An entry is larger than it declares.');
      parts.push(part as Buffer);
    }
    const content = Buffer.concat(parts);
    if (size !== entry.uncompressedSize || crc32(content) !== entry.crc32) throw new Error('An entry is damaged.');
    return content;
  } catch (cause) {
    throw new InputRefused('archive_unreadable', path, cause);
  }
}

/** AES has a method of its own. */
const aesMethod = 99;

function isLocked(entry: Entry): boolean {
  return entry.isEncrypted() || entry.compressionMethod === aesMethod;
}

const fileTypeMask = 0o170000;
const linkType = 0o120000;
const executableBits = 0o111;

function isLink(entry: Entry): boolean {
  return (modeOf(entry) & fileTypeMask) === linkType;
}

/** The upper half of the attributes is the mode of the file on Unix, and 0 elsewhere. */
function modeOf({ externalFileAttributes }: Entry): number {
  return externalFileAttributes >>> 16;
}
