import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { backUpNightly, lastTime, missingBackup, nextTime } from '../../../../scripts/backup/nightly.ts';
import { partialFile } from '../../../../server/platform/database/backup/partial-files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'artel-nightly-'));
});
afterEach(() => rm(folder, { recursive: true }));

const hour = 3;
const day = (of: number, at = 0, minute = 0) => new Date(2026, 5, of, at, minute);

/** Plays times of the clock, one after another, and returns what was backed up and said. */
async function play(times: Date[], { keep = 14, succeeds = () => true as boolean | Promise<boolean> } = {}) {
  const stop = new AbortController();
  const said: string[] = [];
  const made: string[] = [];
  const pauses: number[] = [];
  let [now = new Date(0)] = times;
  const rest = times.slice(1);
  await backUpNightly({
    ...{ folder, hour, keep, signal: stop.signal, now: () => now },
    backUp: async (file) => {
      made.push(basename(file));
      if (!(await succeeds())) return false;
      await writeFile(file, 'whole');
      return true;
    },
    pause: async (ms) => {
      pauses.push(ms);
      const next = rest.shift();
      if (next === undefined) stop.abort();
      else now = next;
    },
    say: (line) => void said.push(line),
  });
  return { said, made, pauses };
}

test('R10.01 a backup is made at its hour, once, and at once where that of the last night is missing', async () => {
  expect(lastTime(day(2, 3), hour)).toEqual(day(2, 3));
  expect(lastTime(day(2, 2, 59), hour)).toEqual(day(1, 3));
  expect(nextTime(day(2, 3), hour)).toEqual(day(3, 3));
  expect(nextTime(day(30, 2, 59), hour)).toEqual(day(30, 3));
  const { made, pauses } = await play([day(2, 2, 55), day(2, 2, 59), day(2, 3), day(2, 12), day(2, 23), day(3, 3, 4)]);
  expect(made).toEqual(['artel-2026-06-01.backup', 'artel-2026-06-02.backup', 'artel-2026-06-03.backup']);
  // The clock is looked at again at the hour, and no later than after ten minutes.
  expect(pauses.slice(0, 3)).toEqual([5 * 60_000, 60_000, 10 * 60_000]);
});

test('R10.01 a clock that is set back or forth makes no second backup of a night, and removes none that it just made', async () => {
  const times = [day(9, 12), day(8, 12), day(9, 13), day(2, 12), day(2, 13), day(9, 14)];
  const { made } = await play(times, { keep: 2 });
  expect(made).toEqual(['artel-2026-06-09.backup', 'artel-2026-06-08.backup', 'artel-2026-06-02.backup']);
  expect((await readdir(folder)).toSorted()).toEqual(['artel-2026-06-02.backup', 'artel-2026-06-08.backup', 'artel-2026-06-09.backup']);
});

test('R10.01 a night without its hour, and one with two of it, have one backup', async () => {
  const script = `
    import { lastTime, nextTime } from ${JSON.stringify(join(import.meta.dirname, '../../../../scripts/backup/nightly.ts'))};
    const counted = (from, hours) => new Set(Array.from({ length: hours * 4 }, (_, at) =>
      lastTime(new Date(Date.parse(from) + at * 900_000), 2).toDateString()));
    console.log(JSON.stringify([...counted('2026-03-28T12:00Z', 36), '', ...counted('2026-10-24T12:00Z', 36), '',
      nextTime(new Date('2026-03-29T00:30Z'), 2), nextTime(new Date('2026-10-24T23:30Z'), 2)]));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, TZ: 'Europe/Berlin' },
  });
  expect(JSON.parse(stdout)).toEqual([
    ...['Sat Mar 28 2026', 'Sun Mar 29 2026', '', 'Sat Oct 24 2026', 'Sun Oct 25 2026', ''],
    ...['2026-03-29T01:00:00.000Z', '2026-10-25T00:00:00.000Z'],
  ]);
});

test('R10.01 the newest backups are kept, and nothing is removed that is no backup of these', async () => {
  const others = [
    ...['artel.backup', 'artel-2020-01-01.backup.txt', 'my-artel-2020-01-01.backup', 'artel-2020-1-1.backup', 'secret.key'],
    partialFile('artel-2020-01-01.backup', { host: 'elsewhere', pid: 1 }),
  ];
  for (const name of others) await writeFile(join(folder, name), 'of a person');
  await mkdir(join(folder, 'artel-2020-01-02.backup'));
  await symlink(join(folder, 'secret.key'), join(folder, 'artel-2020-01-03.backup'));
  // Of a clock that was wrong once, and of a night whose backup is empty.
  const odd = ['artel-2099-01-01.backup', 'artel-2026-05-29.backup'];
  for (const name of odd) await writeFile(join(folder, name), name.includes('2099') ? 'of a person' : '');
  for (const name of ['artel-2026-05-28.backup', 'artel-2026-05-30.backup', 'artel-2026-05-31.backup'])
    await writeFile(join(folder, name), 'a backup');
  const { said } = await play([day(2, 12)], { keep: 2 });
  expect((await readdir(folder)).toSorted()).toEqual(
    [
      ...others,
      ...odd,
      'artel-2020-01-02.backup',
      'artel-2020-01-03.backup',
      'artel-2026-05-31.backup',
      'artel-2026-06-02.backup',
    ].toSorted(),
  );
  expect(said.filter((line) => line.startsWith('Removed'))).toEqual([
    'Removed artel-2026-05-28.backup: 2 backups are kept.',
    'Removed artel-2026-05-30.backup: 2 backups are kept.',
  ]);
});

test('R10.01 a backup that fails, as on a full disk, is said, is tried again and removes no earlier one', async () => {
  for (const name of ['artel-2026-05-30.backup', 'artel-2026-05-31.backup']) await writeFile(join(folder, name), 'a backup');
  const answers = [false, false, true];
  const { said, made, pauses } = await play([day(2, 12), day(2, 12, 10), day(2, 12, 20)], {
    keep: 1,
    succeeds: async () => {
      expect(await readdir(folder)).toHaveLength(2);
      return answers.shift() ?? false;
    },
  });
  const missing = `There is no backup ${join(folder, 'artel-2026-06-02.backup')}. It is tried again.`;
  expect([made.length, said.filter((line) => line === missing).length, pauses[0]]).toEqual([3, 2, 10 * 60_000]);
  expect(await readdir(folder)).toEqual(['artel-2026-06-02.backup']);
});

test('R10.01 of two processes with one folder both are content with the backup that one of them makes', async () => {
  const { said, made } = await play([day(2, 12), day(2, 13)], {
    succeeds: async () => {
      await writeFile(join(folder, 'artel-2026-06-02.backup'), 'of the other');
      return false;
    },
  });
  expect([made, said.some((line) => line.startsWith('There is no'))]).toEqual([['artel-2026-06-02.backup'], false]);
});

test('R10.01 the check says which backup is missing when its night is an hour old', async () => {
  const night = { folder, hour };
  const missing = `There is no backup ${join(folder, 'artel-2026-06-02.backup')}.`;
  expect(await missingBackup(night, day(2, 3, 59))).toBeNull();
  expect(await missingBackup(night, day(2, 4))).toBe(missing);
  expect(await missingBackup(night, day(3, 2))).toBe(missing);
  await writeFile(join(folder, 'artel-2026-06-02.backup'), 'whole');
  expect(await missingBackup(night, day(3, 2))).toBeNull();
});

test('R10.01 what a killed backup of another night has left is removed', async () => {
  const left = partialFile(join(folder, 'artel-2026-05-20.backup'), { host: 'elsewhere', pid: 1 });
  await writeFile(left, '');
  await utimes(left, 0, 0);
  await play([day(2, 12)]);
  expect(await readdir(folder)).toEqual(['artel-2026-06-02.backup']);
});
