import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { expiredPieces, readPieces } from '../server/http/pages/kept-pieces.ts';

/** A build that is at work has changed its folder since (ms). */
const abandonedMs = 60 * 60 * 1_000;

const list = join('.vite', 'files.json');
const staging = '.building-';

/** Where a build is made before it is published: in the same folder, so that its files can be moved, and never served. */
export function stagingOf(folder: string, name: string): string {
  return join(folder, `${staging}${name}`);
}

/**
 * Puts a finished build in the place of the one in `folder`, under a server that may be serving it: new pieces first, the pages
 * that ask for them last. Pieces of earlier builds stay for a week after they were replaced, 64 MiB at
 * most, for pages that are still open.
 */
export async function publishBuild(stage: string, folder: string, now: Date): Promise<void> {
  const before = await filesIn(folder);
  const replaced = await listed(folder);
  for (const file of before) if (isPiece(file) && (replaced?.has(file) ?? true)) await utimes(join(folder, file), now, now);

  const made = await filesIn(stage);
  for (const file of made.sort((one, other) => turnOf(one) - turnOf(other))) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await rename(join(stage, file), join(folder, file));
  }
  await mkdir(join(folder, '.vite'), { recursive: true });
  await writeFile(join(folder, list), JSON.stringify(made));
  await rm(stage, { recursive: true, force: true });

  const earlier = before.filter((file) => !made.includes(file) && file !== list);
  const expired = expiredPieces(await readPieces(folder, earlier.filter(isPiece)), now);
  for (const file of [...earlier.filter((file) => !isPiece(file)), ...expired]) await rm(join(folder, file), { force: true });
  for (const name of await readdir(folder)) {
    if (name.startsWith(staging) && (await ageOf(join(folder, name), now)) > abandonedMs) await rm(join(folder, name), { recursive: true });
  }
}

/** Pieces have a hash of their content in their name: two builds never mean different things by one. */
function isPiece(file: string): boolean {
  return file.startsWith(`assets${sep}`);
}

function turnOf(file: string): number {
  return file.endsWith('.html') ? 2 : isPiece(file) ? 0 : 1;
}

/** The files of a folder by their paths in it, without the builds that are being made there. */
async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((file) => !file.startsWith(staging));
}

/** What the last published build brought; null when nobody knows. */
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
