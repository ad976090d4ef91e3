import { Zip, ZipDeflate } from 'fflate';

export type ZipEntry = { path: string; content: string | Uint8Array; createdAt: Date };

/** The years that the format can express. */
const [firstYear, lastYear] = [1980, 2099];

/** Packs files into a ZIP. Paths are written unchanged: they must be safe. */
export function zipArchive(files: readonly ZipEntry[]): Uint8Array {
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
    entry.push(typeof content === 'string' ? new TextEncoder().encode(content) : content, true);
  }
  archive.end();
  return Buffer.concat(parts);
}
