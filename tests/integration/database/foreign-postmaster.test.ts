import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { copyFile, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type LocalPostgres, startLocalPostgres } from '../../../scripts/cluster/local-postgres.ts';
import type { Database } from '../../../server/platform/database/database.ts';
import { openDatabase } from '../../../server/platform/database/open-database.ts';
import { makeOpenFolder } from '../../support/database/make-open-folder.ts';
import { databaseIsEmbedded } from '../../support/test-services.ts';

const pidFileOf = (dataDir: string) => join(dataDir, 'postgres', 'postmaster.pid');
const pidIn = async (dataDir: string) => Number((await readFile(pidFileOf(dataDir), 'utf8')).split('\n')[0]);

describe.runIf(databaseIsEmbedded)('a pid file that a loss of power left behind', () => {
  let folder: Awaited<ReturnType<typeof makeOpenFolder>>;
  let dataDir: string;
  let foreign: LocalPostgres | null;
  let program: ChildProcess | null;
  let database: Database | null;

  const open = async () => {
    database = await openDatabase({ kind: 'embedded', dataDir }, () => {});
    return database;
  };
  const close = async () => {
    await database?.close();
    database = null;
  };

  beforeEach(async () => {
    folder = await makeOpenFolder();
    dataDir = join(folder.path, 'own');
    foreign = null;
    program = null;
    const first = await open();
    await first.pool.query('CREATE TABLE kept (id int)');
  });
  afterEach(async () => {
    await close();
    await foreign?.stop();
    program?.kill('SIGKILL');
    await folder.remove();
  });

  /** Leaves the pid file of a PostgreSQL that ran here, with a number that now belongs to another process. */
  async function leaveBehind(pid: number): Promise<void> {
    const [, ...rest] = (await readFile(pidFileOf(dataDir), 'utf8')).split('\n');
    await close();
    await writeFile(pidFileOf(dataDir), [pid, ...rest].join('\n'));
  }

  const kept = async (from: Database) => (await from.pool.query("SELECT to_regclass('kept') IS NOT NULL AS kept")).rows[0];

  test('R10.01 a stale pid file with the number of another folder’s PostgreSQL never stops that process, at the start or at the end', async () => {
    const elsewhere = join(folder.path, 'foreign');
    foreign = await startLocalPostgres(elsewhere);
    const pid = await pidIn(elsewhere);
    await leaveBehind(pid);
    expect(await kept(await open())).toEqual({ kept: true });
    expect(await pidIn(dataDir)).not.toBe(pid);
    await close();
    expect(await pidIn(elsewhere)).toBe(pid);
    expect(process.kill(pid, 0)).toBe(true);
  });

  test('R10.01 a stale pid file with the number of a program whose command line mentions postgres never stops that program', async () => {
    program = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'postgres'], { stdio: 'ignore' });
    await leaveBehind(program.pid as number);
    expect(await kept(await open())).toEqual({ kept: true });
    await close();
    expect(program.exitCode ?? program.signalCode).toBe(null);
  });

  test('R10.01 in a copy of a folder does not lead to the database of the original', async () => {
    await close();
    const original = dataDir;
    const copy = join(folder.path, 'copy');
    // Keeps the owner, whose account PostgreSQL uses.
    execFileSync('cp', ['-a', original, copy]);
    const source = await open();
    await source.pool.query('DROP TABLE kept');
    await copyFile(pidFileOf(original), pidFileOf(copy));
    dataDir = copy;
    const copied = await openDatabase({ kind: 'embedded', dataDir: copy }, () => {});
    expect(await kept(copied)).toEqual({ kept: true });
    await copied.close();
    expect(await kept(source)).toEqual({ kept: false });
  });

  test('R10.01 an empty pid file, as after a full disk, does not keep the database from starting', async () => {
    await close();
    await writeFile(pidFileOf(dataDir), '');
    const before = new Date(Date.now() - 60_000);
    await utimes(pidFileOf(dataDir), before, before);
    expect(await kept(await open())).toEqual({ kept: true });
  });
});
