import { Errors, log, push, readCommit, type ServerRef, writeCommit, writeRef } from 'isomorphic-git';
import { changeTree } from './change-tree.ts';
import { authorOf } from './commit-author.ts';
import type { NewCommit, PushedCommit } from './git-messages.ts';
import { fetchCommit, type Repository, readRefs, resolveRef, Stopped } from './repository.ts';

type PushTask = { ref: string | null; commit: NewCommit; run: string; head: string | null };

/**
 * Makes one commit and pushes it to the branch of a run. A new branch begins at `ref`. On an existing branch the commit follows its newest
 * one, which must be of this run. It is the one that was pushed last, or one that names the run, when the answer to that push was lost.
 * Nothing is pushed when the branch has the files already. No push is forced. One that meets another one is made once more, on what that one
 * has left: another node may publish the same run.
 */
export async function pushCommit(repository: Repository, task: PushTask, isRepeated = false): Promise<PushedCommit> {
  const { ref, commit, run, head } = task;
  const refs = await readRefs(repository);
  const start = resolveRef(refs, ref);
  const there = refs.find((one) => one.ref === `refs/heads/${commit.branch}`)?.oid ?? null;
  const parent = there ?? start.sha;
  await fetchCommit(repository, refs, parent);
  const { commit: parentCommit } = await readCommit({ ...repository, oid: parent });
  if (there !== null && there !== head && !isOfRun(parentCommit, run, head)) {
    throw new Stopped('branch_moved', { ours: head ?? (await lastOfRun(repository, refs, there, run)), theirs: there });
  }
  const { oid: tree, conflicts } = await changeTree(repository, parentCommit.tree, commit.files, there !== null);
  if (conflicts.length > 0) throw new Stopped('base_moved', { files: conflicts });
  if (tree === parentCommit.tree) {
    if (there === null) throw new Stopped('nothing');
    return { sha: there, base: head === null ? (parentCommit.parent[0] ?? null) : null };
  }
  const { fs, dir } = repository;
  const author = authorOf(commit.seconds);
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
  return { sha, base: there === null ? start.sha : null };
}

/** The name of the line in a commit's message that tells its run. */
export const runTrailer = 'Artel-Run';

function isOfRun({ message, parent }: { message: string; parent: string[] }, run: string, head: string | null): boolean {
  return message.trimEnd().split('\n').at(-1) === `${runTrailer}: ${run}` && (head === null || parent.includes(head));
}

/**
 * Returns the newest commit of a branch that names the run, within the last commits. The answer to its push was lost, or it would be stored.
 * Null when another person has begun the branch.
 */
async function lastOfRun(repository: Repository, refs: readonly ServerRef[], newest: string, run: string): Promise<string | null> {
  await fetchCommit(repository, refs, newest, maxSearched);
  const commits = await log({ ...repository, ref: newest, depth: maxSearched });
  return commits.find(({ commit }) => isOfRun(commit, run, null))?.oid ?? null;
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
