import type { StatsFs } from 'node:fs';
import { readFile, statfs } from 'node:fs/promises';

/** What a job leaves free beside bytes of the disk (files; a part of all memory). A job can hide memory from those who count what it holds. */
export const spare = { files: 10_000, memoryPart: 0.05 };
const everyMs = 250;

/**
 * Calls back once when the disk of a folder has less than `freeDiskBytes` left, or the memory of the machine is nearly full. Returns the function
 * that ends the watch.
 */
export function watchRoom(folder: string, freeDiskBytes: number, onLack: (lack: 'disk' | 'crowded') => void): () => void {
  const timer = setInterval(async () => {
    const lack = (await isDiskFull(folder, freeDiskBytes)) ? 'disk' : (await isMemoryFull()) ? 'crowded' : null;
    if (lack === null) return;
    clearInterval(timer);
    onLack(lack);
  }, everyMs);
  return () => clearInterval(timer);
}

async function isDiskFull(folder: string, freeDiskBytes: number): Promise<boolean> {
  const disk = await statfs(folder).catch(() => null);
  return disk !== null && lacksDisk(disk, freeDiskBytes);
}

/** Some file systems have no fixed number of files. */
export function lacksDisk(
  { bavail, bsize, files, ffree }: Pick<StatsFs, 'bavail' | 'bsize' | 'files' | 'ffree'>,
  freeDiskBytes: number,
): boolean {
  return bavail * bsize < freeDiskBytes || (files > 0 && ffree < spare.files);
}

async function isMemoryFull(): Promise<boolean> {
  return lacksMemory(await readFile('/proc/meminfo', 'utf8').catch(() => ''));
}

/** Takes what Linux tells in `/proc/meminfo`. */
export function lacksMemory(told: string): boolean {
  const amount = (name: string) => Number(new RegExp(`^${name}: +(\\d+) kB$`, 'm').exec(told)?.[1]);
  return amount('MemAvailable') < amount('MemTotal') * spare.memoryPart;
}
