import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sampleOf } from '../support/amounts.ts';
import { makeOpenFolder } from '../support/database/make-open-folder.ts';
import { mountSmallDisk, type SmallDisk } from '../support/faults/small-disk.ts';
import { signUp } from '../support/run-account.ts';
import { startServer, startServerThatExits } from '../support/start-server.ts';

const settings = (dataDir: string) => ({ DATA_DIR: dataDir, PORT: '0', ARTEL_CLIENT: 'off', LOG_LEVEL: 'silent' });

/** Starts on the data folder, runs a call and stops. */
async function expectToWork(dataDir: string): Promise<void> {
  const server = await startServer({ dataDir, env: { ARTEL_CLIENT: 'off' } });
  try {
    expect((await (await signUp(server.url)).call('GET', '/project')).status).toBe(200);
  } finally {
    await server.stop();
  }
}

const probe = await mountSmallDisk(1);
await probe?.remove();
if (probe === null)
  console.log('A first start on a full disk is not tested here: it takes an account that may mount a disk (root on Linux).');

describe.runIf(probe !== null)('on a small disk (needs root)', () => {
  let disk: SmallDisk | null;

  beforeAll(async () => {
    disk = await mountSmallDisk(240);
  });
  afterAll(() => disk?.remove());

  const [kibibyte, mebibyte] = [1_024, 1_048_576];
  const allLeft = [0, 4 * kibibyte, 8 * kibibyte, 64 * kibibyte, mebibyte, 20 * mebibyte, 36 * mebibyte];
  test.each(sampleOf(allLeft, { some: 1 }))(
    'R10.01 a first start with %i bytes left says that the disk is full, and the next one, with space, works',
    async (left) => {
      const dataDir = join(disk?.path ?? '', `data-${left}`);
      await disk?.fill(left);
      const { code, output } = await startServerThatExits(settings(dataDir));
      expect(output).toMatch(/^Artel cannot start: the disk (?:of the database )?is full[^\n]*\n$/);
      expect(code).toBe(1);
      await disk?.free();
      await expectToWork(dataDir);
      await rm(dataDir, { recursive: true });
    },
  );

  test('R10.01 a read-only disk is named in the error, with a data folder and without one', async () => {
    const [fresh, used] = ['fresh', 'used'].map((name) => join(disk?.path ?? '', name)) as [string, string];
    await expectToWork(used);
    disk?.setReadOnly(true);
    try {
      expect(await startServerThatExits(settings(fresh))).toEqual({
        code: 1,
        output: `Artel cannot start: ${fresh} is on a read-only file system.\n`,
      });
      expect(await startServerThatExits(settings(used))).toEqual({
        code: 1,
        output: `Artel cannot start: ${used} is on a read-only file system.\n`,
      });
    } finally {
      disk?.setReadOnly(false);
    }
  });
});

describe('a data folder', () => {
  let folder: Awaited<ReturnType<typeof makeOpenFolder>>;
  let dataDir: string;
  let child: ChildProcess | null;

  beforeEach(async () => {
    folder = await makeOpenFolder();
    dataDir = join(folder.path, 'data');
    child = null;
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    await folder.remove();
  });

  test('R10.01 a data folder whose first start was killed during the creation of the database is created again', async () => {
    const root = join(import.meta.dirname, '..', '..');
    const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...settings(dataDir) };
    child = spawn(process.execPath, [join(root, 'server', 'main.ts')], { env, stdio: 'ignore' });
    const halfMade = async () => (await readdir(dataDir).catch(() => [])).some((name) => name.startsWith('postgres.new-'));
    // The folder has this name only while the database is created, so it is looked for every 5 ms.
    await expect.poll(halfMade, { interval: 5 }).toBe(true);
    child.kill('SIGKILL');
    await expectToWork(dataDir);
  });

  test('R10.01 with empty key files gets new keys; with accounts its secret is not replaced', async () => {
    await mkdir(dataDir, { mode: 0o711 });
    for (const name of ['database.key', 'secret.key']) await writeFile(join(dataDir, name), '', { mode: 0o600 });
    await expectToWork(dataDir);
    for (const name of ['database.key', 'secret.key']) {
      expect((await readFile(join(dataDir, name), 'utf8')).trim().length).toBeGreaterThan(32);
      expect((await stat(join(dataDir, name))).mode & 0o777).toBe(0o600);
    }
    expect((await readdir(dataDir)).filter((name) => name.includes('partial'))).toEqual([]);

    await writeFile(join(dataDir, 'secret.key'), '');
    const { code, output } = await startServerThatExits(settings(dataDir));
    expect(output).toMatch(/^Artel cannot start: The file .+secret\.key holds no usable secret\. [^\n]+\n$/);
    expect(code).toBe(1);
  });
});
