import { readCommit } from './commits.ts';
import type { PushTask } from './git-messages.ts';
import type { ObjectStore } from './packs/object-store.ts';
import { Stopped } from './repository.ts';

/** A commit of a branch. `run` is the run that its message names in its last line. */
export type BranchCommit = { oid: string; tree: string; parents: string[]; run: string | null };

/** More commits on a branch are not searched for those of the run. */
export const maxSearched = 20;

/** The name of the line in a commit's message that tells its run. */
const runTrailer = 'Artel-Run';

/** Returns the newest commits of a branch by their first parents, as far as they were fetched. */
export function readHistory(objects: ObjectStore, newest: string): BranchCommit[] {
  const commits: BranchCommit[] = [];
  for (let oid: string | undefined = newest; oid !== undefined && commits.length <= maxSearched; oid = commits.at(-1)?.parents[0]) {
    const commit = readCommit(objects, oid);
    if (commit === null) break;
    commits.push({ oid, tree: commit.tree, parents: commit.parents, run: runOf(commit.message) });
  }
  return commits;
}

function runOf(message: string): string | null {
  const last = message.trimEnd().split('\n').at(-1) ?? '';
  return last.startsWith(`${runTrailer}: `) ? last.slice(runTrailer.length + 2) : null;
}

/**
 * Returns the commit after which the run has changed nothing: its own last one. Before the run's first commit it is that of the runs that it
 * follows, or null where any commit may be followed. Throws `branch_moved` for a newest commit that may not be followed.
 */
export function lastState(history: readonly BranchCommit[], { run, head, follows }: PushTask): string | null {
  const [newest] = history as [BranchCommit];
  const isAfter = (heads: readonly string[]) => newest.parents.some((parent) => heads.includes(parent));
  if (newest.oid === head || (newest.run === run && (head === null || isAfter([head])))) return newest.oid;
  const isNamed = newest.run !== null && [run, ...follows.runs].includes(newest.run) && isAfter(follows.heads);
  const isFollowed = follows.heads.includes(newest.oid) || isNamed;
  const own = history.find((commit) => isOwn(commit, { run, head }))?.oid ?? null;
  if (isFollowed && own === null && head === null) return newest.oid;
  if (follows.isOpen || (isFollowed && own !== null)) return own;
  throw new Stopped('branch_moved', { ours: head ?? own, theirs: newest.oid });
}

/** Whether a commit is of the run. */
export function isOwn(commit: BranchCommit, { run, head }: Pick<PushTask, 'run' | 'head'>): boolean {
  return commit.oid === head || commit.run === run;
}
