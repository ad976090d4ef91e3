import { copyFileSync, linkSync, lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Copies a file of the repository: a program that writes to it must not change the repository. */
export function putFile(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

/** Links a file or a folder with all that it holds, without the folders that `skip` names. Links cost less than copies. */
export function linkTree(from: string, to: string, skip: (name: string) => boolean = () => false): void {
  const stats = lstatSync(from);
  if (stats.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else if (stats.isFile()) linkOrCopy(from, to);
  if (!stats.isDirectory()) return;
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) if (!skip(name)) linkTree(join(from, name), join(to, name), skip);
}

/** A temporary folder on another disk takes copies only. */
function linkOrCopy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  try {
    linkSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    copyFileSync(from, to);
  }
}
