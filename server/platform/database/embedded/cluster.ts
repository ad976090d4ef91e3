import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Binaries, openFolder } from './binaries.ts';
import { asOperator, canEnter, chooseOperator, type Operator } from './operator.ts';

export const superuser = 'artel';

export type Place = { cluster: string; operator: Operator };

/**
 * Where the cluster of this data folder lies and who runs it. That is `DATA_DIR/postgres`, unless the server runs as root
 * and the account that runs PostgreSQL cannot enter the data folder: then an open folder, remembered in `DATA_DIR/postgres.location`.
 */
export async function placeOf(dataDir: string, note: (line: string) => void): Promise<Place> {
  const pointer = join(dataDir, 'postgres.location');
  const remembered = (await readFile(pointer, 'utf8').catch(() => '')).trim();
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
  await writeFile(pointer, `${join(open, 'postgres')}\n`, { mode: 0o600 });
  return { cluster: join(open, 'postgres'), operator };
}

/** The superuser's password of this data folder, made at first use. */
export async function passwordOf(dataDir: string): Promise<string> {
  const file = join(dataDir, 'database.key');
  await writeFile(file, randomBytes(24).toString('hex'), { mode: 0o600, flag: 'wx' }).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return (await readFile(file, 'utf8')).trim();
}

/** Makes the cluster when there is none. It is built aside and renamed, so that one cut short is never taken for a whole one. */
export async function ensureCluster(place: Place, binaries: Binaries, password: string): Promise<void> {
  if (await stat(join(place.cluster, 'PG_VERSION')).catch(() => null)) return;
  const parent = join(place.cluster, '..');
  await removeLeftovers(parent);
  const scratch = await mkdtemp(join(parent, 'postgres.new-'));
  try {
    const fresh = join(scratch, 'cluster');
    const passwordFile = join(scratch, 'password');
    await mkdir(fresh, { mode: 0o700 });
    await writeFile(passwordFile, password, { mode: 0o600 });
    for (const path of [scratch, fresh, passwordFile]) if (place.operator) await chown(path, place.operator.uid, place.operator.gid);
    await promisify(execFile)(
      binaries.initdb,
      [
        ['-D', fresh],
        ['-U', superuser],
        ['-A', 'scram-sha-256'],
        ['--pwfile', passwordFile],
        ['-E', 'UTF8'],
        ['--locale-provider', 'builtin'],
        ['--builtin-locale', 'C.UTF-8'],
        ['--locale', 'C'],
        ['--data-checksums'],
      ].flat(),
      { ...asOperator(place.operator), env: { ...process.env, TZ: 'UTC' } },
    );
    await rename(fresh, place.cluster).catch((error) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function removeLeftovers(parent: string): Promise<void> {
  const hourAgo = Date.now() - 3_600_000;
  for (const name of await readdir(parent)) {
    if (!name.startsWith('postgres.new-')) continue;
    const path = join(parent, name);
    const info = await stat(path).catch(() => null);
    if (info && info.mtimeMs < hourAgo) await rm(path, { recursive: true, force: true });
  }
}
