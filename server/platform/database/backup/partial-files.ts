import { type FileHandle, lstat, open, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isAlive } from '../../processes/is-alive.ts';

/** A file that is not written for so long belongs to no backup that runs, on any machine (ms). */
const staleMs = 24 * 60 * 60 * 1000;
/** The first bytes of each gzip file. */
const gzipStart = Buffer.from([0x1f, 0x8b, 0x08]);

type PartialOwner = { host: string; pid: number };

export const thisProcess: PartialOwner = { host: hostname().replace(/[^\w-]/g, '-') || 'host', pid: process.pid };

/** The name under which a backup is written until it is whole. It names the process that writes it. */
export function partialFile(file: string, { host, pid }: PartialOwner): string {
  return `${file}.${host}.${pid}.partial`;
}

/**
 * Removes what killed backups of this name have left, before this process begins its own: files of processes of this machine that have ended, and
 * files that were not written for a day.
 * Another file stays, also one with such a name that holds something else. Returns the number of removed files.
 */
export async function removeLeftPartials(
  file: string,
  { host, pid, isRunning = isAlive, now = Date.now() }: PartialOwner & { isRunning?: (pid: number) => boolean; now?: number },
): Promise<number> {
  const folder = dirname(file);
  const names = await readdir(folder).catch(() => []);
  let removed = 0;
  for (const name of names) {
    const writer = writerOf(name, basename(file));
    if (!writer) continue;
    // In a container that was started again the same process has the number of the one that was killed.
    const hasEnded = writer.host === host && (writer.pid === pid || !isRunning(writer.pid));
    if (!(await isLeft(join(folder, name), hasEnded ? now : now - staleMs))) continue;
    await rm(join(folder, name), { force: true });
    removed += 1;
  }
  return removed;
}

/** Returns the process that a partial file of this backup names; earlier versions named no machine. */
function writerOf(name: string, backup: string): { host: string | null; pid: number } | null {
  if (!name.startsWith(`${backup}.`)) return null;
  const [, host = null, pid = ''] = /^(?:([\w-]+)\.)?(\d{1,10})\.partial$/.exec(name.slice(backup.length + 1)) ?? [];
  return pid === '' ? null : { host, pid: Number(pid) };
}

/** Whether a file of this account was last written before a time, and is empty or the beginning of a backup. */
async function isLeft(path: string, before: number): Promise<boolean> {
  let file: FileHandle | null = null;
  try {
    const about = await lstat(path);
    if (!about.isFile() || about.mtimeMs > before || (process.getuid && about.uid !== process.getuid())) return false;
    file = await open(path, 'r');
    const { bytesRead, buffer } = await file.read(Buffer.alloc(gzipStart.length), 0, gzipStart.length, 0);
    return buffer.subarray(0, bytesRead).equals(gzipStart.subarray(0, bytesRead));
  } catch {
    return false;
  } finally {
    await file?.close();
  }
}
