import { mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { expiredAssets, readAssets } from '../server/http/pages/kept-assets.ts';
import { flushFile, flushFolder, writeWholeFile } from '../server/platform/files/write-whole-file.ts';

/** A running build has changed its folder within this time (ms). */
const abandonedMs = 60 * 60 * 1_000;

const list = join('.vite', 'files.json');
const staging = '.building-';

/** The staging folder of a build. It is in the published folder, so that files can be moved, and is never served. */
export function stagingOf(folder: string, name: string): string {
  return join(folder, `${staging}${name}`);
}

/**
 * Replaces the build in `folder`, while a server may be serving it: new chunks first, then the pages that load them. Chunks of earlier
 * builds stay for a week after their replacement, at most 64 MiB, for pages that are still open.
 */
export async function publishBuild(stage: string, folder: string, now: Date): Promise<void> {
  const before = await filesIn(folder);
  const replaced = await listed(folder);
  for (const file of before) if (isPiece(file) && (replaced?.has(file) ?? true)) await utimes(join(folder, file), now, now);

  const made = await filesIn(stage);
  for (const file of made.sort((one, other) => turnOf(one) - turnOf(other))) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    // Flushed first: after a loss of power no file has its name without its content.
    await flushFile(join(stage, file));
    await rename(join(stage, file), join(folder, file));
  }
  for (const name of new Set(made.map((file) => dirname(join(folder, file))))) await flushFolder(name);
  await mkdir(join(folder, '.vite'), { recursive: true });
  await writeWholeFile(join(folder, list), JSON.stringify(made), { mode: 0o644 });
  await rm(stage, { recursive: true, force: true });

  const earlier = before.filter((file) => !made.includes(file) && file !== list);
  const expired = expiredAssets(await readAssets(folder, earlier.filter(isPiece)), now);
  for (const file of [...earlier.filter((file) => !isPiece(file)), ...expired]) await rm(join(folder, file), { force: true });
  for (const name of await readdir(folder)) {
    if (name.startsWith(staging) && (await ageOf(join(folder, name), now)) > abandonedMs) await rm(join(folder, name), { recursive: true });
  }
}

/** Chunks have a hash of their content in their name, so equal names of two builds have equal content. */
function isPiece(file: string): boolean {
  return file.startsWith(`assets${sep}`);
}

function turnOf(file: string): number {
  return file.endsWith('.html') ? 2 : isPiece(file) ? 0 : 1;
}

/** The files of a folder by their relative paths, without staging folders. */
async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((file) => !file.startsWith(staging));
}

/** The files of the last published build; null when they are unknown. */
async function listed(folder: string): Promise<Set<string> | null> {
  try {
    return new Set(JSON.parse(await readFile(join(folder, list), 'utf8')) as string[]);
  } catch {
    return null;
  }
}

async function ageOf(path: string, now: Date): Promise<number> {
  const found = await stat(path).catch(() => null);
  return found ? now.getTime() - found.mtimeMs : 0;
}
