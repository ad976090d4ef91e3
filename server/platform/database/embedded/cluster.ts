import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeOwnedFolder, removeLeftFolders } from '../../files/owned-folders.ts';
import { readIfExists } from '../../files/read-if-exists.ts';
import { flushFolder, writeWholeFile } from '../../files/write-whole-file.ts';
import { type Binaries, openFolder, withInitdb } from './binaries.ts';
import { asOperator, canEnter, chooseOperator, type Operator } from './operator.ts';

export const superuser = 'artel';

export type ClusterLocation = { cluster: string; operator: Operator };

/**
 * Returns the place and the operator of this data folder's cluster. It is `DATA_DIR/postgres`, unless the server runs as root
 * and the account that runs PostgreSQL cannot enter the data folder. Then it is an open folder, stored in `DATA_DIR/postgres.location`.
 */
export async function placeOf(dataDir: string, note: (line: string) => void): Promise<ClusterLocation> {
  const pointer = join(dataDir, 'postgres.location');
  const remembered = (await readIfExists(pointer))?.trim() ?? '';
  const own = join(dataDir, 'postgres');
  const cluster = remembered === '' ? own : remembered;
  const operator = await chooseOperator(cluster);
  if (remembered !== '' || canEnter(dataDir, operator)) return { cluster, operator };
  if (await stat(own).catch(() => null)) {
    throw new Error(
      `The account "${operator?.name}" that runs PostgreSQL can no longer enter ${dataDir}. Open it (chmod o+x) up to the root folder.`,
    );
  }
  const open = join(
    openFolder,
    `data-${createHash('sha256')
      .update(await realpath(dataDir))
      .digest('hex')
      .slice(0, 16)}`,
  );
  await mkdir(open, { recursive: true });
  await chmod(openFolder, 0o755);
  await chmod(open, 0o711);
  note(`The account "${operator?.name}" that runs PostgreSQL cannot enter ${dataDir}; the database is kept in ${open}.`);
  await writeWholeFile(pointer, `${join(open, 'postgres')}\n`);
  return { cluster: join(open, 'postgres'), operator };
}

/**
 * Returns the superuser's password of this data folder, created at first use. An empty file is written again where
 * there is no database yet. Throws when there is a database and no password.
 */
export async function passwordOf(dataDir: string, place: ClusterLocation): Promise<string> {
  const file = join(dataDir, 'database.key');
  const known = await readIfExists(file);
  if (known?.trim().length === passwordLength) return known.trim();
  if (await isMade(place)) {
    throw new Error(
      `The file ${file} does not hold the password of the database in ${place.cluster}. Restore it from a copy of the folder.`,
    );
  }
  if (known !== null) await rm(file, { force: true });
  await writeWholeFile(file, randomBytes(passwordLength / 2).toString('hex'), { replace: false }).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return ((await readIfExists(file)) ?? '').trim();
}

/** In hexadecimal digits. */
const passwordLength = 48;

async function isMade({ cluster }: ClusterLocation): Promise<boolean> {
  return (await readIfExists(join(cluster, 'PG_VERSION'))) !== null;
}

/** Creates the cluster where there is none. It is built aside and renamed, so that an interrupted one is never taken for a whole one. */
export async function ensureCluster(place: ClusterLocation, binaries: Binaries, password: string): Promise<void> {
  const parent = join(place.cluster, '..');
  await removeLeftFolders(['cluster'], parent, Date.now());
  if (await isMade(place)) return;
  const scratch = await makeOwnedFolder('cluster', parent);
  try {
    const fresh = join(scratch, 'cluster');
    const passwordFile = join(scratch, 'password');
    await mkdir(fresh, { mode: 0o700 });
    await writeFile(passwordFile, password, { mode: 0o600 });
    for (const path of [scratch, fresh, passwordFile]) if (place.operator) await chown(path, place.operator.uid, place.operator.gid);
    const words = [
      ['-D', fresh],
      ['-U', superuser],
      ['-A', 'scram-sha-256'],
      ['--pwfile', passwordFile],
      ['-E', 'UTF8'],
      ['--locale-provider', 'builtin'],
      ['--builtin-locale', 'C.UTF-8'],
      ['--locale', 'C'],
      ['--data-checksums'],
    ].flat();
    const options = { ...asOperator(place.operator), env: { ...process.env, TZ: 'UTC', LC_ALL: 'C' } };
    await withInitdb(binaries, place.operator, (initdb) =>
      promisify(execFile)(initdb, words, options).catch((error) => {
        throw failureOf(String(error.stderr ?? error.message), fresh);
      }),
    );
    await rename(fresh, place.cluster).catch((error) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
    await flushFolder(parent);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Converts the output of a failed PostgreSQL program into an error. A disk error has its code. */
export function failureOf(output: string, path: string): Error {
  const lines = output.trim().split('\n');
  const line = lines.findLast((one) => /\b(?:FATAL|PANIC|error):/.test(one)) ?? lines.at(-1) ?? '';
  const code = diskFailures.find(([words]) => output.includes(words))?.[1];
  return Object.assign(new Error(`PostgreSQL failed: ${line}`), code && { code, path });
}

const diskFailures = [
  ['No space left on device', 'ENOSPC'],
  ['Disk quota exceeded', 'EDQUOT'],
  ['Read-only file system', 'EROFS'],
] as const;
