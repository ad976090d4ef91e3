import { Errors, push, writeCommit, writeRef } from 'isomorphic-git';
import { type BranchCommit, lastState, maxSearched, readHistory } from './branch-history.ts';
import { authorOf } from './commit-author.ts';
import type { PushedCommit, PushTask, TreeListing } from './git-messages.ts';
import { conflicted } from './merge/merge-file.ts';
import { treeOf } from './merge/next-tree.ts';
import { fetchCommit, type Repository, readRefs, resolveRef, Stopped } from './repository.ts';

/**
 * Makes one commit and pushes it to a branch. A new branch begins at `ref`. On an existing branch the commit follows its newest one, which must be
 * of this run or one that it may follow. Of this run is the one that was pushed last, or one that names the run, when the answer to that push was
 * lost. What others have added since the run's last commit stays, and is merged line by line. Nothing is pushed when the branch has the files
 * already. No push is forced. One that meets another one is made once more, on what that one has left: another node may publish the same run.
 * `origin` lists the files that the run began with.
 */
export async function pushCommit(
  repository: Repository,
  task: PushTask,
  origin: () => Promise<TreeListing | null>,
  isRepeated = false,
): Promise<PushedCommit> {
  const { ref, commit, head } = task;
  const refs = await readRefs(repository);
  const start = resolveRef(refs, ref);
  const there = refs.find((one) => one.ref === `refs/heads/${commit.branch}`)?.oid ?? null;
  const parent = there ?? start.sha;
  await fetchCommit(repository, refs, parent, there === null ? 1 : maxSearched);
  const history = await readHistory(repository, parent);
  const { tree: parentTree, parents } = history[0] as BranchCommit;
  const last = there === null ? null : lastState(history, task);
  if (task.isSame && last !== null && last === head) return { sha: last, base: null, renamed: null };
  const { oid: tree, conflicts, renamed } = await treeOf(repository, history, last, task, origin);
  if (conflicts.length > 0) throw conflicted(conflicts);
  if (tree === parentTree) {
    if (last === null) throw new Stopped('nothing');
    return { sha: last, base: head === null ? (parents[0] ?? null) : null, renamed };
  }
  const { fs, dir } = repository;
  const author = authorOf(commit);
  const sha = await writeCommit({ fs, dir, commit: { message: commit.message, tree, parent: [parent], author, committer: author } });
  const branch = `refs/heads/${commit.branch}`;
  await writeRef({ fs, dir, ref: branch, value: sha, force: true });
  const said: string[] = [];
  try {
    await push({ ...repository, remote: 'origin', ref: branch, remoteRef: branch, onMessage: (text) => void said.push(text) });
  } catch (error) {
    // The library walks the whole tree, and knows only plain names and modes.
    if (error instanceof Errors.UnsafeFilepathError || error instanceof Errors.InternalError) throw new Stopped('odd_names');
    const isRejected = error instanceof Errors.PushRejectedError;
    if (!isRejected && !(error instanceof Errors.GitPushError)) throw error;
    const theirs = await newestOf(repository, branch);
    if (theirs !== there && !isRepeated) return pushCommit(repository, task, origin, true);
    if (isRejected) throw new Stopped('branch_moved', { ours: head, theirs: theirs ?? '' });
    throw new Stopped('rejected', { text: refusalOf(error, said) });
  }
  return { sha, base: head === null ? parent : null, renamed };
}

async function newestOf(repository: Repository, branch: string): Promise<string | null> {
  return (await readRefs(repository)).find(({ ref }) => ref === branch)?.oid ?? null;
}

const maxRefusal = 300;

/** Returns what the server's programs have said, such as the sentence of a hook, before the reason that Git gives. */
function refusalOf({ data }: InstanceType<typeof Errors.GitPushError>, said: readonly string[]): string {
  return `${said.join('')} ${data.prettyDetails}`.replace(/\s+/g, ' ').trim().slice(0, maxRefusal);
}
