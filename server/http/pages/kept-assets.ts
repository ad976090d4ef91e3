import { mkdir, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWholeFile } from '../../platform/files/write-whole-file.ts';

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
 * Copies the assets of the build in `folder` (`assets/`) into `kept`, which outlives the build, since a container's image is replaced as
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
  for (const file of own) {
    const piece = await readFile(join(from, file));
    // A loss of power may have left an empty piece or a short one.
    if (sizes.get(file) !== piece.byteLength) await writeWholeFile(join(to, file), piece, { mode: 0o644 });
  }
  await writeWholeFile(list, JSON.stringify(own));
  const earlier = before.filter((file) => !isOwn.has(file));
  for (const file of expiredAssets(await readAssets(to, earlier), now, maxBytes)) await rm(join(to, file), { force: true });
}
