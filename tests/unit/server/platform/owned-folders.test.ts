import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeOwnedFolder, removeLeftFolders } from '../../../../server/platform/files/owned-folders.ts';

const daySeconds = 24 * 60 * 60;
const now = Date.now();
let parent: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'artel-owned-'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

/** Makes a folder with a file in it. */
function make(name: string, ageSeconds = 0): string {
  const path = join(parent, name);
  mkdirSync(path);
  writeFileSync(join(path, 'file'), 'text');
  utimesSync(path, now / 1000 - ageSeconds, now / 1000 - ageSeconds);
  return path;
}

/** Makes a folder of this process as another process of this machine would have named it. */
async function madeBy(kind: 'git' | 'postgres', rename: (owner: { pid: string; startedAt: string }) => { pid: string; startedAt: string }) {
  const path = await makeOwnedFolder(kind, parent);
  const [prefix = '', pid = '', startedAt = '', rest = ''] = basename(path).split('_');
  const owner = rename({ pid, startedAt });
  const renamed = join(dirname(path), [prefix, owner.pid, owner.startedAt, rest].join('_'));
  renameSync(path, renamed);
  return renamed;
}

const clean = () => removeLeftFolders(['git', 'tool', 'postgres', 'cluster'], parent, now);
/** Larger than the largest number of a process. */
const deadPid = '9999999';

test('R10.01 folders of dead processes are removed at once, those of a living one stay however old they are', async () => {
  const own = await makeOwnedFolder('git', parent);
  utimesSync(own, 0, 0);
  const dead = await madeBy('git', ({ startedAt }) => ({ pid: deadPid, startedAt }));
  await clean();
  expect([existsSync(own), existsSync(dead)]).toEqual([true, false]);
});

test.runIf(process.platform === 'linux')(
  'R10.01 a process that got the number of a dead one later, as each server of a container does, does not keep its folders',
  async () => {
    const earlier = await madeBy('git', ({ pid, startedAt }) => ({ pid, startedAt: String(Number(startedAt) - 1) }));
    await clean();
    expect(existsSync(earlier)).toBe(false);
  },
);

test.runIf(process.platform !== 'win32')(
  'R10.01 the folder of a socket stays as long as PostgreSQL listens there, which outlives its server',
  async () => {
    const folder = await madeBy('postgres', ({ startedAt }) => ({ pid: deadPid, startedAt }));
    const postgres = createServer().listen(join(folder, '.s.PGSQL.5432'));
    await new Promise((resolve) => postgres.once('listening', resolve));
    await clean();
    expect(existsSync(folder)).toBe(true);
    await new Promise((resolve) => postgres.close(resolve));
    await clean();
    expect(existsSync(folder)).toBe(false);
  },
);

test('G3.33 folders of unknown processes, of other machines and earlier versions, are removed after a day; others stay', async () => {
  const old = [make('artel-tool-Ab12Cd', daySeconds + 60), make('artel-git-0000abcd_1_2_Ab12Cd', daySeconds + 60)];
  const kept = [make('artel-tool-Cd12Ab', daySeconds - 60), make('artel-git-0000abcd_1_2_Cd12Ab'), make('other', 2 * daySeconds)];
  symlinkSync(join(parent, 'other'), join(parent, 'artel-tool-link'));
  await clean();
  expect(old.filter((path) => existsSync(path))).toEqual([]);
  expect([...kept.map((path) => join(path, 'file')), join(parent, 'artel-tool-link')].filter((path) => !existsSync(path))).toEqual([]);
});
