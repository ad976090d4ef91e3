import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { flushFolder } from '../../server/platform/files/write-whole-file.ts';

export type BundleFile = [name: string, code: string];

/** A bundle that another one replaced longer ago is removed (ms). */
const keptMs = 24 * 3_600_000;
/** The steps in which some file systems keep times (ms). */
const timeStepMs = 2_000;
const bundleName = /^[\da-f]{16}$/;

/**
 * Writes the files of a bundle into a folder that has a hash of them as its name, and returns the name. So a running server keeps the files
 * that it loads later, and builds at the same time share a folder. A folder that a crash or a person has damaged is written again.
 */
export async function writeBundle(folder: string, files: readonly BundleFile[], now: number): Promise<string> {
  const hash = createHash('sha256');
  for (const [name, code] of files) hash.update(name).update(code);
  const name = hash.digest('hex').slice(0, 16);
  const target = join(folder, name);
  markReplaced(folder, now);
  removeUnused(folder, now);
  if (!isWhole(target, files)) replaceUnlessWhole(await writeDraft(folder, files), target, files);
  utimesSync(target, new Date(now), new Date(now));
  return name;
}

/** The time of a folder says when its bundle was last the newest. A server may run from it until then. */
function markReplaced(folder: string, now: number): void {
  const [newest] = readAged(folder, bundleName);
  // Earlier than that of the new bundle, which may be an older one that is made again.
  const replacedAt = new Date(now - timeStepMs);
  if (newest) utimesSync(newest.path, replacedAt, replacedAt);
}

/** Keeps the newest bundle, and those that one replaced in the last day: a server may load more of them. Abandoned drafts go too. */
function removeUnused(folder: string, now: number): void {
  for (const { path, changedAt } of [...readAged(folder, /^\.building-/), ...readAged(folder, bundleName).slice(1)]) {
    if (changedAt < now - keptMs) rmSync(path, { recursive: true, force: true });
  }
}

/** The folders with such a name, the newest first. */
function readAged(folder: string, pattern: RegExp): { path: string; changedAt: number }[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => pattern.test(name))
    .map((name) => join(folder, name))
    .map((path) => ({ path, changedAt: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY }))
    .sort((one, other) => other.changedAt - one.changedAt);
}

function isWhole(bundle: string, files: readonly BundleFile[]): boolean {
  return files.every(([file, code]) => statSync(join(bundle, file), { throwIfNoEntry: false })?.size === Buffer.byteLength(code));
}

/** Returns the folder of the files, which survives a loss of power. A build that fails leaves none: the disk may be full. */
async function writeDraft(folder: string, files: readonly BundleFile[]): Promise<string> {
  const draft = join(folder, `.building-${randomUUID()}`);
  try {
    mkdirSync(draft, { recursive: true });
    for (const [file, code] of files) writeFileSync(join(draft, file), code, { flush: true });
    await flushFolder(draft);
    return draft;
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

/** Another build may have made the bundle meanwhile: its server may run from there. */
function replaceUnlessWhole(draft: string, target: string, files: readonly BundleFile[]): void {
  try {
    if (!isWhole(target, files)) rmSync(target, { recursive: true, force: true });
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!isWhole(target, files)) throw error;
  }
}
