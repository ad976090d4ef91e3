import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mountSmallDisk, type SmallDisk } from '../../support/faults/small-disk.ts';
import { startScript } from '../../support/run-script.ts';
import { setUpDatabase, setUpFolder } from '../../support/set-up/for-vitest.ts';
import { startServerThatExits } from '../../support/start-server.ts';

const database = setUpDatabase();
const folder = setUpFolder();

const run = (name: 'backup' | 'restore', ...args: string[]) =>
  startScript(name, args, { DATABASE_URL: database.connectionString, ARTEL_SECRET_KEY: 'a secret of at least thirty-two characters' }).done;

test('R10.01 a backup overwrites no file, unless it is forced to', async () => {
  const file = join(folder.path, 'kept.backup');
  await writeFile(file, 'precious');
  expect(await run('backup', file)).toEqual({ code: 1, output: `Backup failed: ${file} is there already: --force replaces it.\n` });
  expect(await readFile(file, 'utf8')).toBe('precious');
  expect(await run('backup', file, '--force')).toMatchObject({ code: 0, output: expect.stringMatching(/^Backed up \d+ rows /) });
  expect((await readFile(file)).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
  expect(await readdir(folder.path)).toEqual(['kept.backup']);
});

const probe = await mountSmallDisk(1);
await probe?.remove();
if (probe === null)
  console.log('Backups on a full or read-only disk are not tested here: it takes an account that may mount one (root on Linux).');

describe.runIf(probe !== null)('on a small disk (needs root)', () => {
  let disk: SmallDisk;

  beforeAll(async () => {
    disk = (await mountSmallDisk(8)) as SmallDisk;
  });
  afterAll(() => disk?.remove());

  test('R10.01 a backup onto a read-only disk fails with that error, and so do a restore of a data folder and a start there', async () => {
    const file = join(folder.path, 'sound.backup');
    expect((await run('backup', file, '--force')).code).toBe(0);
    disk.setReadOnly(true);
    try {
      const there = join(disk.path, 'there.backup');
      expect(await run('backup', there)).toEqual({ code: 1, output: `Backup failed: ${there} is on a read-only file system.\n` });
      const dataDir = join(disk.path, 'data');
      const restored = startScript('restore', [file, '--other-secret'], { DATA_DIR: dataDir });
      expect(await restored.done).toEqual({ code: 1, output: `Restore failed: ${dataDir} is on a read-only file system.\n` });
      const started = await startServerThatExits({ PORT: '0', DATA_DIR: dataDir });
      expect(started).toEqual({ code: 1, output: `Artel cannot start: ${dataDir} is on a read-only file system.\n` });
    } finally {
      disk.setReadOnly(false);
    }
  });

  test('R10.01 a backup onto a full disk fails with that error, and leaves nothing there', async () => {
    await disk.fill(0);
    const file = join(disk.path, 'full.backup');
    expect(await run('backup', file)).toEqual({ code: 1, output: `Backup failed: the disk is full: ${file} cannot be written.\n` });
    await disk.free();
    expect(await readdir(disk.path)).toEqual([]);
  });
});
