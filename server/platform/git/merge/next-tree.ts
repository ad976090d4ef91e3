import { blobName } from '../blob-name.ts';
import { type BranchCommit, isOwn } from '../branch-history.ts';
import { type ChangedTree, changeTree } from '../change-tree.ts';
import type { FileChange, FileConflict, FollowedRename, PushedFiles, PushTask, TreeListing } from '../git-messages.ts';
import type { Repository } from '../repository.ts';
import { isExecutable } from '../tree-entries.ts';
import { followRenames, isUntouched } from './follow-renames.ts';
import { TreeFiles } from './tree-files.ts';

export type NextTree = ChangedTree & { renamed: FollowedRename[] };

type PushedFile = PushedFiles[string];
type ListOrigin = () => Promise<TreeListing | null>;

/** Merges the changes of a run into a tree, and follows renames of both sides. `origin` lists the files that the changes were made on. */
export async function mergeChanges(
  repository: Repository,
  tree: string,
  changes: readonly FileChange[],
  origin: ListOrigin,
): Promise<NextTree> {
  const { files, renamed, conflicts } = await followRenames(repository, tree, changes, origin);
  const made = await changeTree(repository, tree, files, false);
  return { ...made, renamed, conflicts: [...conflicts, ...made.conflicts] };
}

/**
 * Makes the tree of the commit that follows the newest one. Where all commits since the start of the branch are the run's, or give way to it, it is
 * made on the commit before them. So the same files make the same tree, also on a base that was merged. Beside commits of others, a file that is as
 * the run has pushed it last stays as they have it, and another one is merged.
 */
export async function treeOf(
  repository: Repository,
  history: readonly BranchCommit[],
  last: string | null,
  task: PushTask,
  origin: ListOrigin,
): Promise<NextTree> {
  const { files } = task.commit;
  const [newest] = history as [BranchCommit];
  if (last === null) return mergeChanges(repository, newest.tree, files, origin);
  const isReplaced = (commit: BranchCommit) => isOwn(commit, task) || (commit.run !== null && task.follows.replaced.includes(commit.run));
  const oldest = history.findLastIndex(isReplaced);
  const before = history[oldest + 1];
  if (last === newest.oid && history.slice(0, oldest + 1).every(isReplaced)) {
    if (before) return mergeChanges(repository, before.tree, files, origin);
    return { ...(await changeTree(repository, newest.tree, files, true)), renamed: [] };
  }
  const own = history.filter((commit) => isOwn(commit, task) || commit.oid === last);
  return besideOthers(repository, newest, own, task, origin);
}

/** Adds what the run has changed since its last push to the newest commit, which has commits of others before it. */
async function besideOthers(
  repository: Repository,
  newest: BranchCommit,
  own: readonly BranchCommit[],
  { commit: { files }, pushed }: PushTask,
  origin: ListOrigin,
): Promise<NextTree> {
  const trees = (own.length > 0 ? own : [newest]).map(({ tree }) => new TreeFiles(repository, tree));
  const [left] = trees as [TreeFiles];
  const had = pushed === null ? await filesIn(left, files) : new Map(Object.entries(pushed));
  const conflicts: FileConflict[] = [];
  const begun: FileChange[] = [];
  const since: FileChange[] = [];
  for (const file of files) {
    const then = had.get(file.path);
    if (then === undefined) begun.push(file);
    else if (!isAs(file, then)) {
      const content = then && (await contentIn(trees, file.path, then.oid));
      // A user's file that the run has pushed is the run's on this branch.
      if (then === null || content) since.push({ ...file, before: content, isUploaded: false, wasExecutable: then?.isExecutable ?? false });
      // The pushed text was merged at once, and is in no commit: what is undone in it cannot be told from what others have written.
      else if (isUntouched(file) || file.after === null) conflicts.push({ path: file.path, reason: 'changed', lines: [] });
      else begun.push(file);
    }
  }
  const first = await mergeChanges(repository, newest.tree, begun, origin);
  const second = await mergeChanges(repository, first.oid, since, () => left.list());
  return {
    oid: second.oid,
    made: [...first.made, ...second.made],
    renamed: [...first.renamed, ...second.renamed],
    conflicts: [...conflicts, ...first.conflicts, ...second.conflicts],
  };
}

/** What the run's last commit has in its files, where it was not stored. */
async function filesIn(tree: TreeFiles, files: readonly FileChange[]): Promise<Map<string, PushedFile>> {
  const had = new Map<string, PushedFile>();
  for (const { path } of files) {
    const entry = await tree.file(path);
    had.set(path, entry && { oid: entry.oid, isExecutable: isExecutable(entry) });
  }
  return had;
}

/** Whether a file is as it was pushed. */
function isAs({ after, isExecutable: isNow }: FileChange, then: PushedFile): boolean {
  if (after === null || then === null) return after === then;
  return blobName(after) === then.oid && (isNow === undefined || isNow === then.isExecutable);
}

async function contentIn(trees: readonly TreeFiles[], path: string, oid: string): Promise<Uint8Array | null> {
  for (const tree of trees) {
    const entry = await tree.file(path);
    if (entry?.oid === oid) return tree.content(entry);
  }
  return null;
}
