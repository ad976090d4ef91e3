import { link, mkdir, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { flushFolder, writeWholeFile } from '../../platform/files/write-whole-file.ts';

/** The time that the assets of earlier builds are kept for open pages (ms). */
const keptAssetsMs = 7 * 24 * 60 * 60 * 1_000;
/** The size limit for the assets of earlier builds (bytes). */
const maxKeptBytes = 64 * 1024 * 1024;

type Asset = { file: string; modifiedMs: number; bytes: number };

/** Returns the assets of earlier builds to remove: those replaced more than a week ago, and the oldest ones beyond the size limit. */
export function expiredAssets(pieces: readonly Asset[], now: Date, maxBytes = maxKeptBytes): string[] {
  let bytes = 0;
  return [...pieces]
    .sort((one, other) => other.modifiedMs - one.modifiedMs)
    .filter((piece) => {
      bytes += piece.bytes;
      return bytes > maxBytes || now.getTime() - piece.modifiedMs > keptAssetsMs;
    })
    .map(({ file }) => file);
}

/** Reads the assets `files` in `folder`. Skips a file that has been removed meanwhile. */
export async function readAssets(folder: string, files: readonly string[]): Promise<Asset[]> {
  const found = await Promise.all(
    files.map(async (file) => {
      const facts = await stat(join(folder, file)).catch(() => null);
      return facts?.isFile() ? [{ file, modifiedMs: facts.mtimeMs, bytes: facts.size }] : [];
    }),
  );
  return found.flat();
}

/**
 * Keeps the assets of the build in `folder` (`assets/`) in `kept`, which outlives the build, since a container's image is replaced as
 * a whole. Removes assets of earlier builds beyond the limits. An asset's modification time is the time of the first build without it.
 */
export async function keepAssets(folder: string, kept: string, now: Date, maxBytes = maxKeptBytes): Promise<void> {
  const list = join(kept, '.files.json');
  const from = join(folder, 'assets');
  const to = join(kept, 'assets');
  await mkdir(to, { recursive: true });
  const [own, before] = [await readdir(from).catch(() => []), await readdir(to)];
  const last = await readFile(list, 'utf8')
    .then((text) => new Set(JSON.parse(text) as string[]))
    .catch(() => new Set<string>());
  const isOwn = new Set(own);
  const sizes = new Map((await readAssets(to, before)).map(({ file, bytes }) => [file, bytes]));
  for (const file of before) if (last.has(file) && !isOwn.has(file)) await utimes(join(to, file), now, now);
  const pieces = await readAssets(from, own);
  // A loss of power may have left an empty piece or a short one.
  const missing = pieces.filter(({ file, bytes }) => sizes.get(file) !== bytes);
  await Promise.all(missing.map(({ file }) => keepAsset(join(from, file), join(to, file))));
  await flushFolder(to);
  await writeWholeFile(list, JSON.stringify(own));
  const earlier = before.filter((file) => !isOwn.has(file));
  for (const file of expiredAssets(await readAssets(to, earlier), now, maxBytes)) await rm(join(to, file), { force: true });
}

/** Gives the file of the build a second name, and copies it where that is not possible: on another file system, or a file of another owner. */
async function keepAsset(file: string, kept: string): Promise<void> {
  await rm(kept, { force: true });
  await link(file, kept).catch(async () => writeWholeFile(kept, await readFile(file), { mode: 0o644 }));
}
