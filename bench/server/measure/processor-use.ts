import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { performance } from 'node:perf_hooks';

/** The processes whose time counts for one figure. PostgreSQL is named by its first process and includes its children. */
export type Parts = { server: number; postgres: number; models: number | null };

/** Processor time of one stretch, in ms. */
export type Use = {
  wallMs: number;
  server: number;
  /** Of the server's time, that of the one thread which runs its JavaScript. */
  serverThread: number;
  postgres: number;
  models: number;
  generator: number;
  /** All processes of this machine. */
  machine: number;
};

/** Runs the work and returns the processor time of each process. */
export async function withUse<T>(parts: Parts, work: () => Promise<T>): Promise<{ value: T; use: Use }> {
  const before = readings(parts);
  const value = await work();
  const after = readings(parts);
  return { value, use: difference(before, after) };
}

export function addUses(uses: Use[]): Use {
  return uses.reduce((sum, use) => ({
    wallMs: sum.wallMs + use.wallMs,
    server: sum.server + use.server,
    serverThread: sum.serverThread + use.serverThread,
    postgres: sum.postgres + use.postgres,
    models: sum.models + use.models,
    generator: sum.generator + use.generator,
    machine: sum.machine + use.machine,
  }));
}

/** The bottleneck of the figure: the process without idle time. */
export function limitOf(use: Use): string {
  const cores = availableParallelism();
  const own = use.server + use.postgres + use.models + use.generator;
  const share = (ms: number) => ms / use.wallMs;
  if (share(use.serverThread) > 0.85) return `the server's thread (${percent(share(use.serverThread))})`;
  if (share(use.generator) > 0.85) return `the generator (${percent(share(use.generator))})`;
  if (share(own) > 0.9 * cores) return `the ${cores} cores (${percent(share(own) / cores)})`;
  if (share(use.machine) > 0.93 * cores) return `other work on this machine (ours: ${percent(share(own) / cores)} of the cores)`;
  return `waiting: commits, answers (cores ${percent(share(own) / cores)} busy)`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function readings(parts: Parts): Use {
  const own = process.cpuUsage();
  return {
    wallMs: performance.now(),
    server: processMs(parts.server),
    serverThread: threadMs(parts.server),
    postgres: treeMs(parts.postgres),
    models: parts.models === null ? 0 : processMs(parts.models),
    generator: (own.user + own.system) / 1_000,
    machine: cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0),
  };
}

function difference(before: Use, after: Use): Use {
  return Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - before[name as keyof Use]])) as Use;
}

/** Clock ticks of /proc are hundredths of a second on every Linux that Node runs on. */
const tickMs = 10;

/** All threads, the ended ones too; with children that have ended when `children` is set. */
function processMs(pid: number, children = false): number {
  const fields = statOf(pid);
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15).map(Number);
  return (user + system + (children ? childUser + childSystem : 0)) * tickMs;
}

function threadMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000_000;
}

function treeMs(pid: number): number {
  return childrenOf(pid).reduce((sum, child) => sum + (whileRunning(() => processMs(child)) ?? 0), processMs(pid, true));
}

/** Reads of a process that may end meanwhile; null when it has. */
function whileRunning<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** The processes that this one has started and that still run. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => whileRunning(() => Number(statOf(other)[1])) === pid);
}

/** The fields of /proc/PID/stat behind the name, which may hold spaces: the state first, then the parent. */
function statOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}
