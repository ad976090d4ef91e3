import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';

const everyMs = 100;

/** Kills a process when it holds more memory (bytes), where the system tells. Returns the function that ends the watch. */
export function watchMemory(child: ChildProcess, maxBytes: number): () => void {
  const timer = setInterval(async () => {
    if ((await residentBytes(child.pid)) > maxBytes) child.kill('SIGKILL');
  }, everyMs);
  return () => clearInterval(timer);
}

/** Returns the memory of a process where the system tells it, else 0. */
export async function residentBytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const line = status.split('\n').find((one) => one.startsWith('VmRSS:')) ?? '';
  return (Number.parseInt(line.slice('VmRSS:'.length), 10) || 0) * 1024;
}
