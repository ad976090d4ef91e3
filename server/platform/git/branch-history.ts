import { blobName } from './blob-name.ts';
import { type ChangedTree, changeTree } from './change-tree.ts';
import { readCommit } from './commits.ts';
import { fetchChanged } from './fetch-changed.ts';
import type { FileChange, PushTask } from './git-messages.ts';
import type { ObjectStore } from './packs/object-store.ts';
import { Stopped } from './repository.ts';
import { blobFinder } from './tree-entries.ts';

/** A commit of a branch. `run` is the run that its message names in its last line. */
export type BranchCommit = { oid: string; tree: string; parents: string[]; run: string | null };

/** More commits on a branch are not searched for those of the run. */
export const maxSearched = 20;

/** The name of the line in a commit's message that tells its run. */
export const runTrailer = 'Artel-Run';

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

function isOwn(commit: BranchCommit, { run, head }: Pick<PushTask, 'run' | 'head'>): boolean {
  return commit.oid === head || commit.run === run;
}

/**
 * Makes the tree of the commit that follows the newest one. Where all commits since the start of the branch are the run's, or give way to it, it is
 * made on the commit before them. So the same files make the same tree, also on a base that was merged. Beside commits of others, a file that is as
 * in the run's last commit stays as they have it, and another one is merged.
 */
export async function treeOf(
  objects: ObjectStore,
  history: readonly BranchCommit[],
  last: string | null,
  { commit: { files }, run, head, follows }: PushTask,
): Promise<ChangedTree> {
  const [newest] = history as [BranchCommit];
  const changedIn = async (tree: string) => {
    await fetchChanged(objects, [tree], files);
    return changeTree(objects, tree, files, false);
  };
  if (last === null) return changedIn(newest.tree);
  const isReplaced = (commit: BranchCommit) =>
    isOwn(commit, { run, head }) || (commit.run !== null && follows.replaced.includes(commit.run));
  const oldest = history.findLastIndex(isReplaced);
  const before = history[oldest + 1];
  if (last === newest.oid && history.slice(0, oldest + 1).every(isReplaced))
    return before ? changedIn(before.tree) : changeTree(objects, newest.tree, files, true);
  const left = history.find(({ oid }) => oid === last) ?? newest;
  await fetchChanged(objects, [newest.tree, left.tree], files);
  return changeTree(objects, newest.tree, changedSince(objects, left.tree, files), false);
}

/** Returns the files that are not as in the tree, which is what they are merged against: the branch has that already, and not only what the run began with. */
function changedSince(objects: ObjectStore, tree: string, files: readonly FileChange[]): FileChange[] {
  const blobAt = blobFinder(objects);
  return files.flatMap((file) => {
    const there = blobAt(tree, file.path);
    const isSame = there === (file.after && blobName(file.after));
    if (!isSame) return [{ ...file, before: there === null ? null : objects.read(there, 'blob') }];
    return (file.isExecutable ?? false) === (file.wasExecutable ?? false) ? [] : [file];
  });
}
