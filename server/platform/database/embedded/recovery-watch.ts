import { open, readdir, readFile } from 'node:fs/promises';

/** Two looks at a recovery are at least this far apart (ms). */
const lookEveryMs = 500;
/**
 * How long PostgreSQL may refuse connections without a process that recovers (ms). After a crash it waits 5 s for its other processes
 * before it kills them and starts the recovery.
 */
const maxMsWithoutRecovery = 12_000;
/**
 * How long a recovery may stand still (ms). On Linux any work of its processes counts. Elsewhere only lines of the log do: one each 10 s, and none during the
 * last checkpoint, whose length the disk decides.
 */
const maxStillMs = process.platform === 'linux' ? 60_000 : 600_000;

/**
 * Decides that PostgreSQL, which refuses connections because it recovers, will not come back by itself. A recovery that makes progress
 * has all the time that it needs. Looks are counted, not the time between them: a suspended machine makes no progress either.
 *
 *     const watch = new RecoveryWatch();
 *     if (watch.isOver(await recoveryProgress(pid, logFile), performance.now())) // PostgreSQL has to be ended
 */
export class RecoveryWatch {
  #progress: string | null = null;
  #stillLooks = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;

  /** Whether the next look is due, at a moment of a clock that never jumps (ms). */
  isDue(at: number): boolean {
    return at - this.#lookedAt >= lookEveryMs;
  }

  /** Takes what a due look has found, and returns whether the recovery has stood still for too long. */
  isOver(progress: string | null, at: number): boolean {
    this.#stillLooks = progress === this.#progress ? this.#stillLooks + 1 : 0;
    this.#progress = progress;
    this.#lookedAt = at;
    return this.#stillLooks * lookEveryMs >= (progress === null ? maxMsWithoutRecovery : maxStillMs);
  }
}

/**
 * Returns a text that changes as long as PostgreSQL's recovery makes progress; null when no process of it recovers. After a disk error during a
 * recovery PostgreSQL stays in this state: it refuses all connections, and starts no recovery again.
 */
export async function recoveryProgress(postmaster: number, logFile: string): Promise<string | null> {
  return process.platform === 'linux' ? workOfRecovery(postmaster) : lastLine(logFile);
}

/** The work of the process that recovers and of the one that writes its checkpoint. One that waits for the disk counts as at work. */
async function workOfRecovery(postmaster: number): Promise<string | null> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(names.map((name) => readProcess(name)));
  const own = found.flatMap((one) => (one?.parent === postmaster ? one : []));
  const recovering = own.filter(({ title }) => /^postgres: (?:startup|checkpointer)\b/.test(title));
  if (!recovering.some(({ title }) => title.startsWith('postgres: startup'))) return null;
  return recovering.map(({ pid, work }) => `${pid} ${work}`).join('\n');
}

/** Returns null for a process that has ended. */
async function readProcess(pid: string) {
  const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'latin1').catch(() => '');
  const [stat, status, title] = await Promise.all([read('stat'), read('status'), read('cmdline')]);
  // The name of the program is in parentheses, and may hold any character.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state = 'Z', parent] = fields;
  if (stat === '' || state === 'Z' || state === 'X') return null;
  const waitsForDisk = state === 'D' ? performance.now() : 0;
  const waits = status.split('\n').filter((line) => line.includes('voluntary_ctxt_switches'));
  // Its time on a processor, in user mode and in the kernel, and how often it has waited.
  const work = [fields[11], fields[12], ...waits, waitsForDisk].join(' ');
  return { pid, parent: Number(parent), title, work };
}

/** The end of the log that is read for it (bytes). */
const endOfLog = 64 * 1024;

/** Returns the last line that is not a refusal of a connection. */
async function lastLine(logFile: string): Promise<string> {
  const log = await open(logFile, 'r');
  try {
    const { size } = await log.stat();
    const { buffer, bytesRead } = await log.read(Buffer.alloc(endOfLog), 0, endOfLog, Math.max(0, size - endOfLog));
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n');
    return lines.findLast((line) => line !== '' && !line.includes(' FATAL: ')) ?? '';
  } finally {
    await log.close();
  }
}
