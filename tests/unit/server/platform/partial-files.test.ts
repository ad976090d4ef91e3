import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { partialFile, removeLeftPartials } from '../../../../server/platform/database/backup/partial-files.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'artel-partial-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('G8.15 a backup removes what killed backups of its name have left, and no other file', async () => {
  const file = join(folder, 'week.backup');
  const begun = gzipSync('artel-backup 1\n').subarray(0, 12);
  const now = Date.now();
  const put = async (path: string, content: Uint8Array | string, ageMs = 60_000) => {
    await writeFile(path, content);
    await utimes(path, new Date(), new Date(now - ageMs));
  };
  const days = 24 * 60 * 60 * 1000;
  const here = { host: 'here', pid: 1 };
  await put(partialFile(file, { host: 'here', pid: 41 }), begun);
  await put(partialFile(file, { host: 'here', pid: 42 }), '');
  // A container was started again, and its processes have the numbers that they had.
  await put(partialFile(file, here), begun);
  await put(partialFile(file, { host: 'elsewhere', pid: 43 }), begun, 2 * days);
  await put(`${file}.44.partial`, begun, 2 * days);
  const kept = [
    [partialFile(file, { host: 'here', pid: 7 }), begun],
    [partialFile(file, { host: 'elsewhere', pid: 45 }), begun],
    [`${file}.46.partial`, begun],
    [partialFile(file, { host: 'here', pid: 47 }), 'notes of a person'],
    [partialFile(join(folder, 'other.backup'), { host: 'here', pid: 48 }), begun],
    [`${file}.partial`, begun],
    [`${file}.here.49.partial.txt`, begun],
    [file, begun],
  ] as const;
  for (const [path, content] of kept) await put(path, content);
  await mkdir(partialFile(file, { host: 'here', pid: 50 }));
  await symlink(join(folder, 'nowhere'), partialFile(file, { host: 'here', pid: 51 }));
  const before = await readdir(folder);
  expect(await removeLeftPartials(file, { ...here, isRunning: (pid) => pid === 7 || pid === here.pid, now })).toBe(5);
  const gone = before.filter((name) => /\.(here\.(1|4[12])|elsewhere\.43|44)\.partial$/.test(name));
  expect(gone).toHaveLength(5);
  expect(await readdir(folder)).toEqual(before.filter((name) => !gone.includes(name)));
  expect(await removeLeftPartials(join(folder, 'missing', 'week.backup'), here)).toBe(0);
});
