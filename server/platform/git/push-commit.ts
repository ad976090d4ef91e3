import { Errors, log, push, readCommit, type ServerRef, writeCommit, writeRef } from 'isomorphic-git';
import { changeTree, conflicted } from './change-tree.ts';
import { authorOf } from './commit-author.ts';
import type { FileChange, FollowedCommits, NewCommit, PushedCommit } from './git-messages.ts';
import { fetchCommit, type Repository, readRefs, resolveRef, Stopped } from './repository.ts';
import { readFileAt } from './tree-entries.ts';

type PushTask = { ref: string | null; commit: NewCommit; run: string; head: string | null; follows: FollowedCommits };

/**
 * Makes one commit and pushes it to a branch. A new branch begins at `ref`. On an existing branch the commit follows its newest one, which must be
 * of this run or one that it may follow. Of this run is the one that was pushed last, or one that names the run, when the answer to that push was
 * lost. What others have added since the run's last commit stays, and is merged line by line. Nothing is pushed when the branch has the files
 * already. No push is forced. One that meets another one is made once more, on what that one has left: another node may publish the same run.
 */
export async function pushCommit(repository: Repository, task: PushTask, isRepeated = false): Promise<PushedCommit> {
  const { ref, commit, head } = task;
  const refs = await readRefs(repository);
  const start = resolveRef(refs, ref);
  const there = refs.find((one) => one.ref === `refs/heads/${commit.branch}`)?.oid ?? null;
  const parent = there ?? start.sha;
  await fetchCommit(repository, refs, parent);
  const { commit: parentCommit } = await readCommit({ ...repository, oid: parent });
  const last = there === null ? null : await lastState(repository, refs, { oid: there, commit: parentCommit }, task);
  const files = last === null || last === there ? commit.files : await sinceCommit(repository, last, commit.files);
  const { oid: tree, conflicts } = await changeTree(repository, parentCommit.tree, files, last !== null && last === there);
  if (conflicts.length > 0) throw conflicted(conflicts);
  if (tree === parentCommit.tree) {
    if (last === null) throw new Stopped('nothing');
    return { sha: last, base: head === null ? (parentCommit.parent[0] ?? null) : null };
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
    if (theirs !== there && !isRepeated) return pushCommit(repository, task, true);
    if (isRejected) throw new Stopped('branch_moved', { ours: head, theirs: theirs ?? '' });
    throw new Stopped('rejected', { text: refusalOf(error, said) });
  }
  return { sha, base: head === null ? parent : null };
}

/** The name of the line in a commit's message that tells its run. */
export const runTrailer = 'Artel-Run';

type Newest = { oid: string; commit: { message: string; parent: string[] } };

/**
 * Returns the commit on the branch after which nothing of the run was changed: its own last one. Before the run's first commit it is that of the
 * runs that it follows, or null where any commit may be followed. Throws `branch_moved` for a newest commit that may not be followed.
 */
async function lastState(repository: Repository, refs: readonly ServerRef[], newest: Newest, task: PushTask): Promise<string | null> {
  const { run, head, follows } = task;
  if (newest.oid === head || isOfRun(newest.commit, run, head)) return newest.oid;
  const isFollowed = follows.heads.includes(newest.oid) || follows.runs.some((one) => isAfterKnown(newest.commit, one, follows.heads));
  if (isFollowed && head === null) return newest.oid;
  const own = isFollowed || follows.isOpen || head === null ? await lastOfRun(repository, refs, newest.oid, task) : head;
  if ((isFollowed && own !== null) || follows.isOpen) return own;
  throw new Stopped('branch_moved', { ours: own, theirs: newest.oid });
}

function isAfterKnown(commit: Newest['commit'], run: string, heads: readonly string[]): boolean {
  return heads.some((head) => isOfRun(commit, run, head));
}

/** Returns files with what the commit has in the place of what the run began with: what others have changed since then stays. */
async function sinceCommit(repository: Repository, oid: string, files: readonly FileChange[]): Promise<FileChange[]> {
  const { commit } = await readCommit({ ...repository, oid });
  const found: FileChange[] = [];
  for (const file of files) found.push({ ...file, before: await readFileAt(repository, commit.tree, file.path) });
  return found;
}

function isOfRun({ message, parent }: { message: string; parent: string[] }, run: string, head: string | null): boolean {
  return message.trimEnd().split('\n').at(-1) === `${runTrailer}: ${run}` && (head === null || parent.includes(head));
}

/**
 * Returns the newest commit of a branch that is the run's last one or names the run, within the last commits. The answer to its push was lost, or it
 * would be stored. Null when another person has begun the branch.
 */
async function lastOfRun(
  repository: Repository,
  refs: readonly ServerRef[],
  newest: string,
  { run, head }: Pick<PushTask, 'run' | 'head'>,
): Promise<string | null> {
  await fetchCommit(repository, refs, newest, maxSearched);
  const commits = await log({ ...repository, ref: newest, depth: maxSearched });
  return commits.find(({ oid, commit }) => oid === head || isOfRun(commit, run, null))?.oid ?? null;
}

/** More commits on a branch are not searched for that of the run. */
const maxSearched = 20;

async function newestOf(repository: Repository, branch: string): Promise<string | null> {
  return (await readRefs(repository)).find(({ ref }) => ref === branch)?.oid ?? null;
}

const maxRefusal = 300;

/** Returns what the server's programs have said, such as the sentence of a hook, before the reason that Git gives. */
function refusalOf({ data }: InstanceType<typeof Errors.GitPushError>, said: readonly string[]): string {
  return `${said.join('')} ${data.prettyDetails}`.replace(/\s+/g, ' ').trim().slice(0, maxRefusal);
}
