import { setImmediate as breathe } from 'node:timers/promises';
import { Zip, ZipDeflate } from 'fflate';

type ZipEntry = { path: string; content: string; createdAt: Date };

/** The years that the format can write. */
const [firstYear, lastYear] = [1980, 2099];

/** A ZIP of the files, one at a time, so that others have their turn in between. Paths are taken as they are: they must be safe. */
export async function zipArchive(files: readonly ZipEntry[]): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  const archive = new Zip((error, part) => {
    if (error) throw error;
    parts.push(part);
  });
  for (const { path, content, createdAt } of files) {
    const entry = new ZipDeflate(path, { level: 6 });
    const year = createdAt.getFullYear();
    if (year >= firstYear && year <= lastYear) entry.mtime = createdAt;
    archive.add(entry);
    entry.push(new TextEncoder().encode(content), true);
    await breathe();
  }
  archive.end();
  return Buffer.concat(parts);
}
