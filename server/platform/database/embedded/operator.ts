import { spawnSync } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';

/** The account that runs PostgreSQL: this process's own, unless that is root, as which PostgreSQL refuses to run. */
export type Operator = { uid: number; gid: number; name: string } | null;

/**
 * Returns null for an ordinary user. For root: the owner of an existing cluster, else `postgres`, else `nobody`.
 * Throws when root has no such account.
 */
export async function chooseOperator(cluster: string): Promise<Operator> {
  if (process.getuid?.() !== 0) return null;
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const existing = await stat(cluster).catch(() => null);
  if (existing && existing.uid !== 0) {
    const name = accounts.find((fields) => Number(fields[2]) === existing.uid)?.[0] ?? String(existing.uid);
    return { uid: existing.uid, gid: existing.gid, name };
  }
  for (const wanted of ['postgres', 'nobody']) {
    const fields = accounts.find((account) => account[0] === wanted);
    if (fields) return { uid: Number(fields[2]), gid: Number(fields[3]), name: wanted };
  }
  throw new Error('PostgreSQL does not run as root, and this machine has neither a "postgres" nor a "nobody" account to run it as.');
}

/** The spawn options that run a program as the operator. Every account can enter the working folder. */
export function asOperator(operator: Operator): { uid?: number; gid?: number; cwd: string } {
  return operator ? { uid: operator.uid, gid: operator.gid, cwd: '/' } : { cwd: '/' };
}

/** Returns whether the operator can enter this folder. Tries it, since file modes alone do not decide it. */
export function canEnter(folder: string, operator: Operator): boolean {
  if (!operator) return true;
  return spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { ...asOperator(operator), stdio: 'ignore' }).status === 0;
}
