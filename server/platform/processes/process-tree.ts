import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { residentBytes } from './watch-memory.ts';

/** What belongs together: the first process, a variable of the environment that only this tree has, and its folder. */
export type ProcessTree = { pid: number; mark: string; folder: string };
/** `control`: the folder of its control group, where it has one. */
type MeasuredTree = ProcessTree & { control: string | null };

type Listed = { pid: number; parent: number; group: number; session: number; environment: string; place: string };

/** New processes may begin while others are killed. */
const maxRounds = 5;

/**
 * Kills a process with all that it has started, where the system has `/proc`: its descendants, its group and session. Processes that have
 * left all of these are found by its environment or folder. Elsewhere its group alone. Never rejects.
 */
export async function killTree(tree: ProcessTree): Promise<void> {
  for (let round = 0; round < maxRounds; round += 1) {
    const members = membersOf(tree, await listProcesses());
    for (const pid of members) kill(pid);
    kill(-tree.pid);
    if (members.length === 0) return;
  }
}

/** Returns the processes of a tree that have not ended, where the system has `/proc`. */
export async function treeMembers(tree: ProcessTree): Promise<number[]> {
  return membersOf(tree, await listProcesses());
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

function membersOf({ pid, mark, folder }: ProcessTree, all: readonly Listed[]): number[] {
  const isMarked = ({ environment, place }: Listed) =>
    environment.split('\0').includes(mark) || place === folder || place.startsWith(`${folder}/`) || place === `${folder} (deleted)`;
  const members = new Set([pid, ...all.filter(isMarked).map((one) => one.pid)]);
  for (let size = 0; size < members.size; ) {
    size = members.size;
    for (const one of all) if (members.has(one.parent) || members.has(one.group) || members.has(one.session)) members.add(one.pid);
  }
  return all.map((one) => one.pid).filter((one) => members.has(one) && one !== process.pid);
}

async function listProcesses(): Promise<Listed[]> {
  const names = await readdir('/proc').catch(() => []);
  const found = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map((name) => readProcess(Number(name))));
  return found.flatMap((one) => one ?? []);
}

/** Returns null for a process that has ended, also one that its parent has not noticed yet. */
async function readProcess(pid: number): Promise<Listed | null> {
  const [stat, environment, place] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'latin1').catch(() => ''),
    readFile(`/proc/${pid}/environ`, 'latin1').catch(() => ''),
    readlink(`/proc/${pid}/cwd`).catch(() => ''),
  ]);
  // The name of the program is in parentheses, and may hold any character.
  const [state = 'X', parent, group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (stat === '' || state === 'Z' || state === 'X') return null;
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), environment, place };
}

type WatchedTree = { tree: MeasuredTree; maxBytes: number; onExceeded: () => void };

/** Between two walks through `/proc` (ms): one walk serves all trees, however many there are. */
const walkMs = 500;
const watched = new Set<WatchedTree>();
let isWalking = false;

/**
 * Calls `onExceeded` once when a process and all that it has started hold more memory together, where the system tells. Memory that several of them
 * share counts once. Returns the function that ends the watch.
 */
export function watchTreeMemory(tree: MeasuredTree, maxBytes: number, onExceeded: () => void): () => void {
  const one = { tree, maxBytes, onExceeded };
  watched.add(one);
  if (!isWalking) setTimeout(measureTrees, walkMs);
  isWalking = true;
  return () => watched.delete(one);
}

async function measureTrees(): Promise<void> {
  const all = await listProcesses();
  for (const one of [...watched]) {
    const pids = [...new Set([...membersOf(one.tree, all), ...(await membersOfGroup(one.tree.control))])];
    const isLarge = async (measure: (pid: number) => Promise<number>) =>
      (await Promise.all(pids.map(measure))).reduce((sum, bytes) => sum + bytes, 0) > one.maxBytes;
    // The proportional size costs more: the kernel walks through all pages for it.
    if ((await isLarge(residentBytes)) && (await isLarge(proportionalBytes)) && watched.delete(one)) one.onExceeded();
  }
  isWalking = watched.size > 0;
  if (isWalking) setTimeout(measureTrees, walkMs);
}

/** Returns the processes of a control group: also those that hide from the walk. */
async function membersOfGroup(folder: string | null): Promise<number[]> {
  const text = folder === null ? '' : await readFile(join(folder, 'cgroup.procs'), 'utf8').catch(() => '');
  return text.split('\n').filter(Boolean).map(Number);
}

/** Returns the memory of a process, with its share of what it shares; all that it holds where the system does not tell that. */
async function proportionalBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const kibibytes = /^Pss:\s+(\d+)/m.exec(text)?.[1];
  return kibibytes === undefined ? residentBytes(pid) : Number(kibibytes) * 1024;
}
