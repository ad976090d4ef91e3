import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';

/** An archive that is not unpacked. `isTooLarge`: for what it holds, else for being broken or hostile. */
export class ArchiveRefused extends Error {
  readonly isTooLarge: boolean;

  constructor(message: string, isTooLarge = false) {
    super(message);
    this.name = 'ArchiveRefused';
    this.isTooLarge = isTooLarge;
  }
}

/** What an archive may hold (entries, bytes). Text is packed to a tenth, and a bomb to a thousandth. */
export const archiveLimits = { entries: 60_000, bytes: 1024 * 1024 * 1024, ratio: 200, freeBytes: 16 * 1024 * 1024 };

const fileTypeMask = 0o170000;
const regularType = 0o100000;
const folderType = 0o040000;

/**
 * Writes the files of a ZIP below an empty folder with their modes. Names keep their bytes. Refuses the whole archive for one entry that would
 * be elsewhere, is no file, stands twice or is larger than it declares. Checks all entries before it writes the first.
 */
export async function unpackJob(archive: Uint8Array, folder: string): Promise<void> {
  try {
    const zip = await fromBufferPromise(Buffer.from(archive.buffer, archive.byteOffset, archive.length), {
      lazyEntries: true,
      decodeStrings: false,
    });
    for (const entry of await checkedEntries(zip, archive.length)) await writeEntry(zip, entry, folder);
  } catch (error) {
    if (error instanceof ArchiveRefused) throw error;
    throw new ArchiveRefused(`The archive cannot be unpacked: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function checkedEntries(zip: ZipFile, packedBytes: number): Promise<Entry[]> {
  if (zip.entryCount > archiveLimits.entries) throw new ArchiveRefused('The archive has too many files.', true);
  const entries: Entry[] = [];
  let total = 0;
  for await (const entry of zip.eachEntry()) {
    total += entry.uncompressedSize;
    if (total > archiveLimits.bytes || total > archiveLimits.freeBytes + archiveLimits.ratio * packedBytes)
      throw new ArchiveRefused('The files are too large.', true);
    assertSafe(entry);
    entries.push(entry);
  }
  return entries;
}

/** The library ends the stream of an entry that is larger than it declares. */
async function writeEntry(zip: ZipFile, entry: Entry, folder: string): Promise<void> {
  // One byte is one character of a name: it is only compared, and becomes the same bytes again.
  const name = nameOf(entry);
  const path = (below: string) => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(below, 'latin1')]);
  const parent = name.replace(/\/?[^/]*$/, '');
  if (parent !== '') await mkdir(path(parent), { recursive: true });
  if (name.endsWith('/')) return;
  const mode = modeOf(entry) & 0o111 ? 0o755 : 0o644;
  await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(path(name), { mode, flags: 'wx' }));
}

function assertSafe(entry: Entry): void {
  const name = nameOf(entry);
  const parts = name.replace(/\/$/, '').split('/');
  const isOutside = name.includes('\0') || parts.some((part) => part === '' || part === '.' || part === '..');
  if (isOutside) throw new ArchiveRefused('An entry is outside the folder.');
  const type = modeOf(entry) & fileTypeMask;
  if (type !== 0 && type !== regularType && type !== folderType) throw new ArchiveRefused('An entry is neither a file nor a folder.');
  if (entry.isEncrypted()) throw new ArchiveRefused('An entry is encrypted.');
}

function nameOf({ fileName }: Entry): string {
  return Buffer.from(fileName as unknown as Uint8Array).toString('latin1');
}

/** The upper half of the attributes is the mode on Unix, and 0 elsewhere. */
function modeOf({ externalFileAttributes }: Entry): number {
  return externalFileAttributes >>> 16;
}
