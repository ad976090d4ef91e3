import { Zip, ZipDeflate } from 'fflate';

export type ZipEntry = { path: string; content: string | Uint8Array; createdAt: Date; isExecutable?: boolean };

/** The years that the format can express. */
const [firstYear, lastYear] = [1980, 2099];

/** The system of an entry whose attributes have a mode in their upper half, and the mode of a program. */
const unix = 3;
const programMode = 0o100755;

/** Packs files into a ZIP. Paths are written unchanged: they must be safe. */
export function zipArchive(files: readonly ZipEntry[]): Uint8Array {
  const parts: Uint8Array[] = [];
  const archive = new Zip((error, part) => {
    if (error) throw error;
    parts.push(part);
  });
  for (const { path, content, createdAt, isExecutable } of files) {
    const entry = new ZipDeflate(path, { level: 6 });
    if (isExecutable) Object.assign(entry, { os: unix, attrs: programMode << 16 });
    const year = createdAt.getFullYear();
    if (year >= firstYear && year <= lastYear) entry.mtime = createdAt;
    archive.add(entry);
    entry.push(typeof content === 'string' ? new TextEncoder().encode(content) : content, true);
  }
  archive.end();
  return Buffer.concat(parts);
}
