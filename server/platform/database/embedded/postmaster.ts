import { chown, mkdir, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeOwnedFolder, maxNameLength } from '../../files/owned-folders.ts';
import { readIfExists } from '../../files/read-if-exists.ts';
import { isAlive } from '../../processes/is-alive.ts';
import { spawnProcess } from '../../processes/spawn-process.ts';
import type { Binaries } from './binaries.ts';
import type { ClusterLocation } from './cluster.ts';
import { freePort } from './free-port.ts';
import { asOperator } from './operator.ts';
import { isInUse, ownershipOf } from './postmaster-process.ts';

/** The address of a running PostgreSQL: a folder with its Unix socket, or a loopback address. */
export type Endpoint = { host: string; port: number };

/** `startedAt` is in seconds since the epoch. */
export type Postmaster = Endpoint & { pid: number; startedAt: number };

/** The maximum path of a socket is 107 bytes on Linux and 103 on macOS; the rest is `/.s.PGSQL.5432`. */
const maxSocketFolderLength = 103 - '/.s.PGSQL.5432'.length;

/** An older pid file without a number was left by a full disk, not by a PostgreSQL that is starting (ms). */
const unfinishedMs = 2_000;

/** Returns the PostgreSQL that runs on this cluster, from its pid file; null for none. */
export async function runningPostmaster(cluster: string): Promise<Postmaster | null> {
  const file = join(cluster, 'postmaster.pid');
  const text = await readIfExists(file);
  if (text === null) return null;
  const lines = text.split('\n').map((line) => line.trim());
  const [pid, startedAt, port] = [Number(lines[0]), Number(lines[2]), Number(lines[3])];
  const host = lines[4] || lines[5];
  if (!pid) {
    if ((await ageOf(file)) > unfinishedMs) await removePidFile(cluster);
    return null;
  }
  const ownership = await ownershipOf(pid, cluster, startedAt);
  // The system has given the number to another program since: PostgreSQL would refuse to start.
  if (ownership === 'foreign') await removePidFile(cluster);
  if (ownership === 'foreign' || ownership === 'gone') return null;
  return port && host ? { pid, startedAt, port, host } : null;
}

/** Removes the pid file, but not while a process works in the cluster: the file keeps a second PostgreSQL away. */
async function removePidFile(cluster: string): Promise<void> {
  if (!(await isInUse(cluster))) await rm(join(cluster, 'postmaster.pid'), { force: true });
}

async function ageOf(file: string): Promise<number> {
  const info = await stat(file).catch(() => null);
  return info ? Math.abs(Date.now() - info.mtimeMs) : 0;
}

/** Starts PostgreSQL in its own process group, so that an interrupt at the terminal reaches only the server. */
export async function startPostmaster(
  place: ClusterLocation,
  binaries: Binaries,
  endpoint: Endpoint,
  logFile: string,
): Promise<{ pid: number; exited: Promise<void> }> {
  await ensureSocketFolder(place, endpoint);
  const log = await open(logFile, 'a', 0o600);
  try {
    const tcp = !endpoint.host.startsWith('/');
    const settings = {
      listen_addresses: tcp ? endpoint.host : '',
      unix_socket_directories: tcp ? '' : `"${endpoint.host}"`,
      port: endpoint.port,
      max_connections: 100,
      // PostgreSQL runs beside its only server: the system's cache is enough, and both stay small.
      shared_buffers: '32MB',
      log_timezone: 'UTC',
      timezone: 'UTC',
    };
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawnProcess(binaries.postgres, ['-D', place.cluster, ...options], {
      ...asOperator(place.operator),
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject));
    child.unref();
    return { pid: child.pid as number, exited };
  } finally {
    await log.close();
  }
}

/** Returns the folder of the folders of sockets. */
export function socketParent(): string {
  return Buffer.byteLength(tmpdir()) + 1 + maxNameLength <= maxSocketFolderLength ? tmpdir() : '/tmp';
}

/** Returns a folder for the socket that only the operator can use; a free loopback port on systems without Unix sockets. */
export async function makeEndpoint(place: ClusterLocation): Promise<Endpoint> {
  if (process.platform === 'win32') return { host: '127.0.0.1', port: await freePort() };
  const host = await makeOwnedFolder('postgres', socketParent());
  if (place.operator) await chown(host, place.operator.uid, place.operator.gid);
  return { host, port: 5432 };
}

/** Creates the folder again: cleaners of temporary folders may have removed it. */
async function ensureSocketFolder(place: ClusterLocation, { host }: Endpoint): Promise<void> {
  if (!host.startsWith('/')) return;
  const made = await mkdir(host, { mode: 0o700, recursive: true });
  if (made !== undefined && place.operator) await chown(host, place.operator.uid, place.operator.gid);
}

/** The signals that end PostgreSQL, each with the time that it is given (ms). At once, it kills its own processes 5 s after the first signal. */
const endings = {
  fast: [
    ['SIGINT', 6_000],
    ['SIGQUIT', 2_000],
  ],
  immediate: [
    ['SIGQUIT', 8_000],
    ['SIGKILL', 2_000],
  ],
} as const;

/**
 * Ends PostgreSQL, and resolves when the process is gone: by a fast shutdown, then an immediate one, or at once where it does not answer any more. A
 * process that is not the PostgreSQL of this cluster gets no signal.
 */
export async function stopPostmaster(
  { pid, startedAt }: Pick<Postmaster, 'pid' | 'startedAt'>,
  cluster: string,
  how: keyof typeof endings = 'fast',
): Promise<void> {
  for (const [name, withinMs] of endings[how]) {
    if ((await ownershipOf(pid, cluster, startedAt)) !== 'ours') return;
    signal(pid, name);
    if (await gone(pid, withinMs)) return;
  }
}

function signal(pid: number, name: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

async function gone(pid: number, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (isAlive(pid)) {
    if (performance.now() > deadline) return false;
    await delay(20);
  }
  return true;
}
