import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { removeLeftPartials, thisProcess } from '../../server/platform/database/backup/partial-files.ts';

/** What a nightly backup is called; its date is that of its night. Nothing else in the folder is removed. */
const ownName = /^artel-\d{4}-\d{2}-\d{2}\.backup/;
/** How often the clock is looked at: it may be set while a server runs (ms). */
const longestPauseMs = 10 * 60 * 1000;
/** How long after its time a backup may be missing before the check says so (ms). */
const graceMs = 60 * 60 * 1000;

type Night = { folder: string; hour: number };

type Nightly = Night & {
  /** How many backups stay. */
  keep: number;
  signal: AbortSignal;
  /** Makes a backup, and resolves with whether it succeeded. It says itself why not. */
  backUp: (file: string) => Promise<boolean>;
  pause: (ms: number) => Promise<void>;
  say: (line: string) => void;
  now?: () => Date;
};

/** The last time until now at which a backup was to be made, in the time zone of the process. */
export function lastTime(now: Date, hour: number): Date {
  const today = timeOn(now, hour, 0);
  return today <= now ? today : timeOn(now, hour, -1);
}

/** The next such time. */
export function nextTime(now: Date, hour: number): Date {
  const today = timeOn(now, hour, 0);
  return today > now ? today : timeOn(now, hour, 1);
}

function timeOn(now: Date, hour: number, days: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour);
}

/**
 * Makes a backup for each night until it is told to stop: at its hour, or at once where that of the last night is missing. A failed one is
 * tried again, and removes no earlier one.
 */
export async function backUpNightly({ folder, hour, keep, signal, backUp, pause, say, now = () => new Date() }: Nightly): Promise<void> {
  await mkdir(folder, { recursive: true });
  while (!signal.aborted) {
    const file = backupOf({ folder, hour }, now());
    if (!(await isFile(file))) {
      await removeLeft(folder);
      if (signal.aborted) break;
      // Another process may have made it meanwhile.
      if ((await backUp(file)) || (await isFile(file))) {
        for (const name of await removeOld(folder, { keep, made: file })) say(`Removed ${name}: ${keep} backups are kept.`);
        say(`The next backup is made at ${nextTime(now(), hour).toISOString()}.`);
      } else if (!signal.aborted) say(`There is no backup ${file}. It is tried again.`);
    }
    if (!signal.aborted) await pause(Math.min(nextTime(now(), hour).getTime() - now().getTime(), longestPauseMs));
  }
}

/** Returns what is wrong with the backup of the last night, or null. It has an hour to be made. */
export async function missingBackup(night: Night, now = new Date()): Promise<string | null> {
  const file = backupOf(night, now);
  if (now.getTime() < lastTime(now, night.hour).getTime() + graceMs || (await isFile(file))) return null;
  return `There is no backup ${file}.`;
}

function backupOf({ folder, hour }: Night, now: Date): string {
  const night = lastTime(now, hour);
  const [month = '', day = ''] = [night.getMonth() + 1, night.getDate()].map((number) => String(number).padStart(2, '0'));
  return join(folder, `artel-${night.getFullYear()}-${month}-${day}.backup`);
}

/** Removes what killed backups have left, of whichever night. */
async function removeLeft(folder: string): Promise<void> {
  const begun = (await readdir(folder)).flatMap((name) => ownName.exec(name)?.[0] ?? []);
  for (const name of new Set(begun)) await removeLeftPartials(join(folder, name), thisProcess);
}

/** Removes all backups but the newest ones, and returns their names. Later ones than that which was just made are of a wrong clock: they stay, and take no place. */
async function removeOld(folder: string, { keep, made }: { keep: number; made: string }): Promise<string[]> {
  const backups: string[] = [];
  for (const name of await readdir(folder)) if (ownName.exec(name)?.[0] === name && (await isFile(join(folder, name)))) backups.push(name);
  const old = backups
    .filter((name) => name <= basename(made))
    .toSorted()
    .slice(0, -keep);
  for (const name of old) await rm(join(folder, name), { force: true });
  return old;
}

/** Whether there is a file with content, and no link or folder. */
async function isFile(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  return found?.isFile() === true && found.size > 0;
}
