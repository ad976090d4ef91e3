import { readdir, readFile, readlink } from 'node:fs/promises';

/** What belongs together: the first process, a variable of the environment that only this tree has, and its folder. */
export type ProcessTree = { pid: number; mark: string; folder: string };

type Listed = { pid: number; parent: number; group: number; session: number; isMarked: boolean };

/** New processes may begin while others are killed. */
const maxRounds = 5;

/**
 * Kills a process with all that it has started, where the system has `/proc`: its children and theirs, its group and session, and processes that
 * have left all of these but have its environment or folder. Elsewhere its group alone. Never rejects.
 */
export async function killTree(tree: ProcessTree): Promise<void> {
  for (let round = 0; round < maxRounds; round += 1) {
    const members = membersOf(tree, await listProcesses(tree));
    for (const pid of members) kill(pid);
    kill(-tree.pid);
    if (members.length === 0) return;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

function membersOf({ pid }: ProcessTree, all: readonly Listed[]): number[] {
  const members = new Set([pid]);
  for (let size = 0; size < members.size; ) {
    size = members.size;
    for (const one of all)
      if (one.isMarked || members.has(one.parent) || members.has(one.group) || members.has(one.session)) members.add(one.pid);
  }
  return all.map((one) => one.pid).filter((one) => members.has(one) && one !== process.pid);
}

async function listProcesses(tree: ProcessTree): Promise<Listed[]> {
  const names = await readdir('/proc').catch(() => []);
  const found = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map((name) => readProcess(Number(name), tree)));
  return found.flatMap((one) => one ?? []);
}

/** Returns null for a process that has ended, also one that its parent has not noticed yet. */
async function readProcess(pid: number, { mark, folder }: ProcessTree): Promise<Listed | null> {
  const [stat, environment, place] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'latin1').catch(() => ''),
    readFile(`/proc/${pid}/environ`, 'latin1').catch(() => ''),
    readlink(`/proc/${pid}/cwd`).catch(() => ''),
  ]);
  // The name of the program is in parentheses, and may hold any character.
  const [state = 'X', parent, group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (stat === '' || state === 'Z' || state === 'X') return null;
  const isMarked =
    environment.split('\0').includes(mark) || place === folder || place.startsWith(`${folder}/`) || place === `${folder} (deleted)`;
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), isMarked };
}
