import { readFileSync } from 'node:fs';
import { childrenOf } from './processor-use.ts';

/**
 * Returns the proportional set size in MB of a server and of PostgreSQL with all its processes. Shared memory is divided among its users.
 */
export function memoryMb(server: number, postgres: number): number {
  const pids = [server, postgres, ...childrenOf(postgres)];
  return pids.reduce((sum, pid) => sum + proportionalKb(pid), 0) / 1_000;
}

/** Returns the proportional set size of one process in MB. */
export function processMb(pid: number): number {
  return proportionalKb(pid) / 1_000;
}

function proportionalKb(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) * 1.024;
  } catch {
    return 0; // A backend that has ended meanwhile.
  }
}
