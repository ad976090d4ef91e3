import { blobName } from '../blob-name.ts';
import { type BranchCommit, isOwn } from '../branch-history.ts';
import { type ChangedTree, changeTree } from '../change-tree.ts';
import type { FileChange, FileConflict, FollowedRename, PushedFiles, PushTask, TreeListing } from '../git-messages.ts';
import type { ObjectStore } from '../packs/object-store.ts';
import { isExecutable } from '../tree-entries.ts';
import { followRenames, isUntouched } from './follow-renames.ts';
import { TreeFiles } from './tree-files.ts';

/**
 * Fetches what a tree has at the paths of changed files, where that is neither what the run began with nor what it leaves. `others` are blobs that are
 * needed beside them.
 */
async function fetchChanged(
  objects: ObjectStore,
  tree: string,
  files: readonly FileChange[],
  others: readonly string[] = [],
): Promise<void> {
  const there = new TreeFiles(objects, tree);
  const wanted = new Set(others);
  for (const { path, before, after } of files) {
    if (before) objects.give(before);
    const oid = there.file(path)?.oid ?? null;
    if (oid !== null && oid !== (after && blobName(after))) wanted.add(oid);
  }
  await objects.fetchBlobs(wanted);
}

type NextTree = ChangedTree & { renamed: FollowedRename[] };

type PushedFile = PushedFiles[string];
type ListOrigin = () => Promise<TreeListing | null>;

/** Merges the changes of a run into a tree, and follows renames of both sides. `origin` lists the files that the changes were made on. */
export async function mergeChanges(
  objects: ObjectStore,
  tree: string,
  changes: readonly FileChange[],
  origin: ListOrigin,
): Promise<NextTree> {
  await fetchChanged(objects, tree, changes);
  const { files, renamed, conflicts } = await followRenames(objects, tree, changes, origin);
  // What the tree has at the new path of a file may differ from what the run began with.
  if (renamed.length > 0) await fetchChanged(objects, tree, files);
  const made = changeTree(objects, tree, files, false);
  return { ...made, renamed, conflicts: [...conflicts, ...made.conflicts] };
}

/**
 * Makes the tree of the commit that follows the newest one. Where all commits since the start of the branch are the run's, or give way to it, it is
 * made on the commit before them. So the same files make the same tree, also on a base that was merged. Beside commits of others, a file that is as
 * the run has pushed it last stays as they have it, and another one is merged.
 */
export async function treeOf(
  objects: ObjectStore,
  history: readonly BranchCommit[],
  last: string | null,
  task: PushTask,
  origin: ListOrigin,
): Promise<NextTree> {
  const { files } = task.commit;
  const [newest] = history as [BranchCommit];
  if (last === null) return mergeChanges(objects, newest.tree, files, origin);
  const isReplaced = (commit: BranchCommit) => isOwn(commit, task) || (commit.run !== null && task.follows.replaced.includes(commit.run));
  const oldest = history.findLastIndex(isReplaced);
  const before = history[oldest + 1];
  if (last === newest.oid && history.slice(0, oldest + 1).every(isReplaced)) {
    if (before) return mergeChanges(objects, before.tree, files, origin);
    return { ...changeTree(objects, newest.tree, files, true), renamed: [] };
  }
  const own = history.filter((commit) => isOwn(commit, task) || commit.oid === last);
  return besideOthers(objects, newest, own, task, origin);
}

/** Adds what the run has changed since its last push to the newest commit, which has commits of others before it. */
async function besideOthers(
  objects: ObjectStore,
  newest: BranchCommit,
  own: readonly BranchCommit[],
  { commit: { files }, pushed }: PushTask,
  origin: ListOrigin,
): Promise<NextTree> {
  const trees = (own.length > 0 ? own : [newest]).map(({ tree }) => new TreeFiles(objects, tree));
  const [latest] = trees as [TreeFiles];
  const had = pushed === null ? filesIn(latest, files) : new Map(Object.entries(pushed));
  const left = files.flatMap(({ path }) => blobIn(trees, path, had.get(path)) ?? []);
  await fetchChanged(objects, newest.tree, files, left);
  const conflicts: FileConflict[] = [];
  const begun: FileChange[] = [];
  const since: FileChange[] = [];
  for (const file of files) {
    const then = had.get(file.path);
    if (then === undefined) begun.push(file);
    else if (!isAs(file, then)) {
      const blob = blobIn(trees, file.path, then);
      const content = blob === null ? null : objects.read(blob, 'blob');
      // A user's file that the run has pushed is the run's on this branch.
      if (then === null || content) since.push({ ...file, before: content, isUploaded: false, wasExecutable: then?.isExecutable ?? false });
      // The pushed text was merged at once, and is in no commit: what is undone in it cannot be told from what others have written.
      else if (isUntouched(file) || file.after === null) conflicts.push({ path: file.path, reason: 'changed', lines: [] });
      else begun.push(file);
    }
  }
  const first = await mergeChanges(objects, newest.tree, begun, origin);
  const second = await mergeChanges(objects, first.oid, since, async () => latest.list());
  return {
    oid: second.oid,
    renamed: [...first.renamed, ...second.renamed],
    conflicts: [...conflicts, ...first.conflicts, ...second.conflicts],
  };
}

/** What the run's last commit has in its files, where it was not stored. */
function filesIn(tree: TreeFiles, files: readonly FileChange[]): Map<string, PushedFile> {
  const had = new Map<string, PushedFile>();
  for (const { path } of files) {
    const entry = tree.file(path);
    had.set(path, entry && { oid: entry.oid, isExecutable: isExecutable(entry) });
  }
  return had;
}

/** Whether a file is as it was pushed. */
function isAs({ after, isExecutable: isNow }: FileChange, then: PushedFile): boolean {
  if (after === null || then === null) return after === then;
  return blobName(after) === then.oid && (isNow === undefined || isNow === then.isExecutable);
}

/** Returns the blob that was pushed, where one of the trees has it at the path. */
function blobIn(trees: readonly TreeFiles[], path: string, then: PushedFile | undefined): string | null {
  return then && trees.some((tree) => tree.file(path)?.oid === then.oid) ? then.oid : null;
}
