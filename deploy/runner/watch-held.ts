import { execFile } from 'node:child_process';
import { readdir, stat, statfs } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type ProcessTree, treeMembers } from '../../server/platform/processes/process-tree.ts';

const run = promisify(execFile);

/** What a job holds beside the memory of its processes (bytes). `memory`: files without a name that are in memory. */
type Held = { disk: number; memory: number };

/** The least pause between two counts (ms), and the part of the time that counts of many files take. */
const leastPauseMs = 500;
const maxPart = 0.1;
/** The longest pause (ms), and the open files of a job that are looked at in one count. */
const longestPauseMs = 10_000;
const maxOpenFiles = 20_000;
/** What `du` may say of files that go while it counts (bytes). */
const maxOutput = 64 * 1024 * 1024;

type HeldWatch = {
  tree: ProcessTree;
  /** The bytes of the disk that were free when the job began. */
  freeAtBegin: number;
  limits: { diskBytes: number; memoryBytes: number };
  signal: AbortSignal;
  onExceeded: (limit: 'held' | 'memory') => void;
};

/** Counts again and again what a job holds, until the signal aborts, and calls back once when that is more than a limit. Never rejects. */
export async function watchHeld({ tree, freeAtBegin, limits, signal, onExceeded }: HeldWatch): Promise<void> {
  while (!signal.aborted) {
    const begun = performance.now();
    const held = await countHeld(tree, { freeAtBegin, diskBytes: limits.diskBytes }, signal).catch(() => ({ disk: 0, memory: 0 }));
    if (signal.aborted) return;
    if (held.disk > limits.diskBytes) return onExceeded('held');
    if (held.memory > limits.memoryBytes) return onExceeded('memory');
    const pause = Math.min(Math.max(leastPauseMs, (performance.now() - begun) * (1 / maxPart - 1)), longestPauseMs);
    await wait(pause, undefined, { signal }).catch(() => {});
  }
}

type HeldLimits = { freeAtBegin: number; diskBytes: number };

async function countHeld(tree: ProcessTree, { freeAtBegin, diskBytes }: HeldLimits, signal: AbortSignal): Promise<Held> {
  const [named, { dev }, pids] = await Promise.all([namedBytes(tree.folder, freeAtBegin, signal), stat(tree.folder), treeMembers(tree)]);
  if (named > diskBytes) return { disk: named, memory: 0 };
  let looked = 0;
  const unnamed = new Map<string, { bytes: number; isOnDisk: boolean }>();
  for (const pid of pids) {
    for (const file of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      if (++looked > maxOpenFiles) break;
      // A file without a name, which no count of folders finds: it has lost its last one, or never had any.
      const found = await stat(`/proc/${pid}/fd/${file}`).catch(() => null);
      if (!found?.isFile() || found.nlink > 0) continue;
      unnamed.set(`${found.dev}:${found.ino}`, { bytes: found.blocks * 512, isOnDisk: found.dev === dev });
    }
  }
  const sumOf = (isOnDisk: boolean) =>
    [...unnamed.values()].filter((one) => one.isOnDisk === isOnDisk).reduce((sum, { bytes }) => sum + bytes, 0);
  return { disk: named + sumOf(true), memory: sumOf(false) };
}

/**
 * Returns what the files below a folder take of the disk. Where a job has closed folders to the runner, it is no less than what the disk has lost
 * since the job began: that may be too much, where others write to it.
 */
async function namedBytes(folder: string, freeAtBegin: number, signal: AbortSignal): Promise<number> {
  const toBytes = (counted: string) => (Number.parseInt(counted, 10) || 0) * 1024;
  try {
    return toBytes((await run('du', ['-skx', folder], { env: { ...process.env, LC_ALL: 'C' }, maxBuffer: maxOutput, signal })).stdout);
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    // Files that go while they are counted are no fault. A job that keeps `du` from its sum is counted by what the disk has lost.
    if (stdout !== '' && !/Permission denied|cannot read directory/.test(stderr)) return toBytes(stdout);
    return Math.max(toBytes(stdout), freeAtBegin - (await freeBytes(folder)));
  }
}

export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
