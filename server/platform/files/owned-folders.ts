import { createHash } from 'node:crypto';
import { lstat, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../processes/is-alive.ts';

type FolderKind = {
  prefix: string;
  /** Whether another process than the one that made it still uses it. */
  isUsed: (path: string) => Promise<boolean>;
};

const unused = async () => false;

/** The folders that a server makes for a while, and that it leaves when it is killed. */
const kinds = {
  /** Long answers of a Git server. */
  git: { prefix: 'artel-git-', isUsed: unused },
  /** The working folder of a tool server. */
  tool: { prefix: 'artel-tool-', isUsed: unused },
  /** The socket of PostgreSQL, which outlives a killed server. */
  postgres: { prefix: 'artel-pg-', isUsed: hasListener },
  /** A database that is being created, beside its place. */
  cluster: { prefix: 'postgres.new-', isUsed: unused },
  /** A copy of PostgreSQL's programs that is being made, beside its place. */
  programs: { prefix: 'postgresql.new-', isUsed: unused },
} as const satisfies Record<string, FolderKind>;

/** A folder of an unknown process, of another machine or an earlier version, is used by none after this time (ms). */
const keptMs = 24 * 60 * 60 * 1_000;

/** Makes a folder whose name says which process it belongs to. `removeLeftFolders` removes it when that process is dead. */
export async function makeOwnedFolder(kind: keyof typeof kinds, parent = tmpdir()): Promise<string> {
  const { host, pid, startedAt } = await thisProcess();
  return mkdtemp(join(parent, `${kinds[kind].prefix}${host}_${pid}_${startedAt}_`));
}

/** The length of a name that `makeOwnedFolder` makes, at most. */
export const maxNameLength = `${kinds.postgres.prefix}12345678_1234567_123456789012_XXXXXX`.length;

/**
 * Removes the folders of these kinds that dead processes of this machine have left, and those of unknown ones that are older than a day. It removes only what
 * this user may have made. Never rejects.
 */
export async function removeLeftFolders(of: readonly (keyof typeof kinds)[], parent: string, now: number): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const kind of of) {
    for (const name of names.filter((one) => one.startsWith(kinds[kind].prefix))) {
      const path = join(parent, name);
      if (await isLeft(kinds[kind], name, path, now)) await rm(path, { recursive: true, force: true }).catch(() => {});
    }
  }
}

async function isLeft({ prefix, isUsed }: FolderKind, name: string, path: string, now: number): Promise<boolean> {
  const about = await lstat(path).catch(() => null);
  if (!about?.isDirectory()) return false;
  // A server of root gives its folders to the users of its programs.
  if (process.getuid !== undefined && process.getuid() !== 0 && about.uid !== process.getuid()) return false;
  // Names of earlier versions have no owner.
  const [host, pid, startedAt] = name.slice(prefix.length).split('_');
  const isOfThisMachine = host === (await thisProcess()).host;
  const hasEnded = isOfThisMachine ? !(await isRunning(Number(pid), Number(startedAt))) : about.mtimeMs < now - keptMs;
  return hasEnded && !(await isUsed(path));
}

type Owner = { host: string; pid: number; startedAt: number };

let own: Promise<Owner> | null = null;

function thisProcess(): Promise<Owner> {
  own ??= startOf(process.pid).then((startedAt) => ({
    // Short, since the path of a socket has a limit.
    host: createHash('sha256').update(hostname()).digest('hex').slice(0, 8),
    pid: process.pid,
    startedAt: startedAt ?? 0,
  }));
  return own;
}

/** Whether a process runs that began at that time: the number of a dead one is given to others, and in a container each server has the same. */
async function isRunning(pid: number, startedAt: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const start = await startOf(pid);
  return start === null || start === startedAt;
}

/** Returns when a process began, in the system's own units; null where the system does not say. */
async function startOf(pid: number): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  // The name of the program is in parentheses, and may hold any character. The start is the 22nd of all fields.
  const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  return stat === '' || Number.isNaN(ticks) ? null : ticks;
}

/** Whether a process listens on a socket of a folder. */
async function hasListener(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  const sockets = names.filter((name) => name.startsWith('.s.PGSQL.') && !name.endsWith('.lock'));
  const answers = await Promise.all(sockets.map((name) => isAnswering(join(folder, name))));
  return answers.includes(true);
}

/** Only a refusal says that no process listens. */
function isAnswering(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'));
  });
}
