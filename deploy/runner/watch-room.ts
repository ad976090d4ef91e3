import type { StatsFs } from 'node:fs';
import { readFile, statfs } from 'node:fs/promises';

/** What a job leaves free (bytes; files; a part of all memory). A job can hide memory from those who count what its processes hold. */
const spare = { diskBytes: 256 * 1024 * 1024, files: 10_000, memoryPart: 0.05 };
const everyMs = 250;

/** Calls back once when the disk of a folder or the memory of the machine is nearly full. Returns the function that ends the watch. */
export function watchRoom(folder: string, onLack: (lack: 'disk' | 'crowded') => void): () => void {
  const timer = setInterval(async () => {
    const lack = (await isDiskFull(folder)) ? 'disk' : (await isMemoryFull()) ? 'crowded' : null;
    if (lack === null) return;
    clearInterval(timer);
    onLack(lack);
  }, everyMs);
  return () => clearInterval(timer);
}

async function isDiskFull(folder: string): Promise<boolean> {
  const disk = await statfs(folder).catch(() => null);
  return disk !== null && lacksDisk(disk);
}

/** Some file systems have no fixed number of files. */
export function lacksDisk({ bavail, bsize, files, ffree }: Pick<StatsFs, 'bavail' | 'bsize' | 'files' | 'ffree'>): boolean {
  return bavail * bsize < spare.diskBytes || (files > 0 && ffree < spare.files);
}

async function isMemoryFull(): Promise<boolean> {
  return lacksMemory(await readFile('/proc/meminfo', 'utf8').catch(() => ''));
}

/** Takes what Linux tells in `/proc/meminfo`. */
export function lacksMemory(told: string): boolean {
  const amount = (name: string) => Number(new RegExp(`^${name}: +(\\d+) kB$`, 'm').exec(told)?.[1]);
  return amount('MemAvailable') < amount('MemTotal') * spare.memoryPart;
}
