import { lastState, maxSearched, readHistory } from './branch-history.ts';
import { writeCommit } from './commits.ts';
import type { GitLimits, PushedCommit, PushTask, TreeListing } from './git-messages.ts';
import { conflicted } from './merge/merge-file.ts';
import { treeOf } from './merge/next-tree.ts';
import { ObjectStore } from './packs/object-store.ts';
import { sendPack } from './packs/receive-pack.ts';
import { type GitHttpCall, openUploadPack, type UploadPack } from './packs/upload-pack.ts';
import { resolveRef, Stopped } from './repository.ts';

type Pushing = PushTask & { limits: GitLimits };
type ListOrigin = () => Promise<TreeListing | null>;

/**
 * Makes one commit and pushes it to a branch. A new branch begins at `ref`. On an existing branch the commit follows its newest one, which must be
 * of this run or one that it may follow. Of this run is the one that was pushed last, or one that names the run, when the answer to that push was
 * lost. What others have added since the run's last commit stays, and is merged line by line. Nothing is pushed when the branch has the files
 * already. No push is forced. One that meets another one is made once more, on what that one has left: another node may publish the same run.
 * `origin` lists the files that the run began with.
 */
export async function pushCommit(call: GitHttpCall, task: Pushing, origin: ListOrigin): Promise<PushedCommit> {
  const first = await openUploadPack(call);
  const pushed = await pushOnce({ call, server: first, origin }, task);
  if ('sha' in pushed) return pushed;
  const second = await openUploadPack(call);
  const isMoved = branchIn(second, task) !== branchIn(first, task);
  const outcome = isMoved ? await pushOnce({ call, server: second, origin }, task) : pushed;
  if ('sha' in outcome) return outcome;
  if (outcome.kind === 'refused') throw new Stopped('rejected', { text: outcome.text });
  throw new Stopped('branch_moved', { ours: task.head, theirs: outcome.theirs ?? '' });
}

type NotPushed = { kind: 'moved'; theirs: string | null } | { kind: 'refused'; text: string };

type OpenServer = { call: GitHttpCall; server: UploadPack; origin: ListOrigin };

async function pushOnce({ call, server, origin }: OpenServer, task: Pushing): Promise<PushedCommit | NotPushed> {
  const { ref, commit, head, limits } = task;
  const start = resolveRef(server.refs, ref);
  const there = branchIn(server, task);
  const parent = there ?? start.sha;
  const objects = new ObjectStore();
  await objects.open({ server, sha: parent, depth: there === null ? 1 : maxSearched, limits });
  const history = readHistory(objects, parent);
  const newest = history[0];
  if (!newest) throw new Stopped('ref');
  const last = there === null ? null : lastState(history, task);
  if (task.isSame && last !== null && last === head) return { sha: last, base: null, renamed: null };
  const { oid: tree, conflicts, renamed } = await treeOf(objects, history, last, task, origin);
  if (conflicts.length > 0) throw conflicted(conflicts);
  if (tree === newest.tree) {
    if (last === null) throw new Stopped('nothing');
    return { sha: last, base: head === null ? (newest.parents[0] ?? null) : null, renamed };
  }
  const sha = writeCommit(objects, { tree, parents: [parent], about: commit });
  const outcome = await sendPack(call, { ref: nameOf(task), from: there, to: sha }, objects.pack(sha));
  return outcome.kind === 'taken' ? { sha, base: head === null ? parent : null, renamed } : outcome;
}

function nameOf({ commit }: PushTask): string {
  return `refs/heads/${commit.branch}`;
}

function branchIn({ refs }: UploadPack, task: PushTask): string | null {
  return refs.find(({ ref }) => ref === nameOf(task))?.oid ?? null;
}
