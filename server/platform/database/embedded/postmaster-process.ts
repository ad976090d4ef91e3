import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { isAlive } from '../../processes/is-alive.ts';

/**
 * The owner of a process: `ours` is the PostgreSQL of the cluster, `foreign` any other program or another cluster's PostgreSQL
 * that got the same number later. `unknown` where the system does not say.
 */
type Ownership = 'ours' | 'foreign' | 'gone' | 'unknown';

/** The precision of a process's start: PostgreSQL and some systems store whole seconds (seconds). */
const startToleranceSeconds = 5;

/** `startedAt` is the start in the cluster's pid file (seconds since the epoch). */
export async function ownershipOf(pid: number, cluster: string, startedAt: number): Promise<Ownership> {
  if (!isAlive(pid)) return 'gone';
  try {
    return process.platform === 'linux' ? await ownershipOnLinux(pid, cluster) : await ownershipByCommand(pid, cluster, startedAt);
  } catch (error) {
    return ['ENOENT', 'ESRCH'].includes(String((error as NodeJS.ErrnoException).code)) ? 'gone' : 'unknown';
  }
}

/**
 * PostgreSQL works in the folder of its cluster, which no other PostgreSQL does. Its start is not compared: after a change of the
 * clock ours would seem foreign.
 */
async function ownershipOnLinux(pid: number, cluster: string): Promise<Ownership> {
  const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
  if (!/^(?:postgres|postmaster)\b/.test(basename(words[0] ?? ''))) return 'foreign';
  const own = await realpath(cluster);
  const folder = await readlink(`/proc/${pid}/cwd`).catch((error: NodeJS.ErrnoException) => {
    // A container may hide another account's processes: then the folder is known by PostgreSQL's command line.
    if (error.code !== 'EACCES' && error.code !== 'EPERM') throw error;
    const option = words.indexOf('-D');
    return realpath(words[option + 1] ?? '');
  });
  return folder === own ? 'ours' : 'foreign';
}

/** By the command line, which names the cluster, or by the time of its start. */
async function ownershipByCommand(pid: number, cluster: string, startedAt: number): Promise<Ownership> {
  const { start, command } = process.platform === 'win32' ? await queryWindows(pid) : await queryPs(pid);
  if (command === '') return 'gone';
  if (!command.includes('postgres')) return 'foreign';
  if (command.includes(cluster)) return 'ours';
  return Math.abs(start / 1_000 - startedAt) <= startToleranceSeconds ? 'ours' : 'foreign';
}

async function queryPs(pid: number): Promise<{ start: number; command: string }> {
  const options = { env: { ...process.env, LC_ALL: 'C' } };
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'lstart=,command=', '-p', String(pid)], options);
  // `Sun Nov 22 21:16:25 2026`, in local time.
  const line = stdout.trim();
  return { start: Date.parse(line.slice(0, 24)), command: line.slice(24).trim() };
}

async function queryWindows(pid: number): Promise<{ start: number; command: string }> {
  const question = `Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}' | ForEach-Object { $_.CreationDate.ToUniversalTime().ToString('o') + ' ' + $_.CommandLine }`;
  const { stdout } = await promisify(execFile)('powershell', ['-NoProfile', '-Command', question]);
  const [start = '', ...command] = stdout.trim().split(' ');
  return { start: Date.parse(start), command: command.join(' ') };
}

/** Whether any process works in the cluster's folder: PostgreSQL itself, or the rest of a killed one. Works on Linux only. */
export async function isInUse(cluster: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const own = await realpath(cluster);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => null)));
  return folders.includes(own);
}
