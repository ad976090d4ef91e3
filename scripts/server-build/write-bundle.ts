import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type BundleFile = [name: string, code: string];

/** A bundle that was made longer ago is removed (ms). */
const keptMs = 24 * 3_600_000;

/**
 * Writes the files of a bundle into a folder that has a hash of them as its name, and returns the name. So a running server keeps the files
 * that it loads later, and builds at the same time share a folder.
 */
export function writeBundle(folder: string, files: readonly BundleFile[], now: number): string {
  const hash = createHash('sha256');
  for (const [name, code] of files) hash.update(name).update(code);
  const name = hash.digest('hex').slice(0, 16);
  const target = join(folder, name);
  removeUnused(folder, now);
  if (existsSync(target)) {
    utimesSync(target, new Date(now), new Date(now));
    return name;
  }
  const draft = join(folder, `.building-${randomUUID()}`);
  mkdirSync(draft, { recursive: true });
  for (const [file, code] of files) writeFileSync(join(draft, file), code, { flush: true });
  moveUnlessThere(draft, target);
  return name;
}

/** Keeps the bundle that was made last, and those of a day: a server that runs from one may load more of it. Abandoned drafts go too. */
function removeUnused(folder: string, now: number): void {
  if (!existsSync(folder)) return;
  const aged = (pattern: RegExp) =>
    readdirSync(folder)
      .filter((name) => pattern.test(name))
      .map((name) => join(folder, name))
      .map((path) => ({ path, madeAt: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY }))
      .sort((one, other) => other.madeAt - one.madeAt);
  for (const { path, madeAt } of [...aged(/^\.building-/), ...aged(/^[\da-f]{16}$/).slice(1)]) {
    if (madeAt < now - keptMs) rmSync(path, { recursive: true, force: true });
  }
}

function moveUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    rmSync(from, { recursive: true, force: true });
    if (!existsSync(to)) throw error;
  }
}
