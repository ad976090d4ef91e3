import type { PublicationPlan } from '../../../contract/executions/publishing.ts';
import type { FollowedCommits } from '../../platform/git/git-messages.ts';
import type { PublishableRun } from '../executions/index.ts';
import { branchName, usualPrefix } from './branch-name.ts';
import { type GitTargetRow, type PublicationRow, placeOf } from './repository.ts';

type RunBranch = PublicationPlan['branches'][number];

/** A run with what is known of it: its last publication, and those of the runs that it is a fork of, the nearest first. */
export type PublishedRun = {
  run: PublishableRun;
  executionId: string;
  target: GitTargetRow | null;
  last: PublicationRow | null;
  originals: readonly PublicationRow[];
  /** What the commit of a run about an issue is named after, and the number of that issue; null for a run of none. */
  subject: string | null;
  closes: number | null;
};

/**
 * Returns the branches that a run may be pushed to, the usual one first. A published run keeps its branch. One that began with a published branch
 * adds to it, and a fork adds to that of its original.
 */
export function branchesOf({ run, executionId, target, last, originals, subject }: PublishedRun): [RunBranch, ...RunBranch[]] {
  const projectBase = target?.baseBranch ?? run.git?.ref ?? '';
  const isHere = (url: string | undefined) => target !== null && url !== undefined && placeOf(url) === placeOf(target.url);
  if (last && isHere(last.url)) return [{ name: last.branch, base: last.baseBranch ?? projectBase, isNew: false }];
  const begun = run.git?.isBranch && isHere(run.git.url) ? run.git.ref : projectBase;
  const own = { name: branchName(target?.prefix ?? usualPrefix, subject ?? run.task, executionId), base: begun, isNew: true };
  const followed = run.follows && isHere(run.git?.url) ? [{ name: run.follows.branch, base: run.follows.base, isNew: false }] : [];
  const ofOriginals = originals
    .filter(({ url }) => isHere(url))
    .map(({ branch, baseBranch }) => ({ name: branch, base: baseBranch ?? projectBase, isNew: false }));
  const known = new Map([...followed, ...ofOriginals].map((one) => [one.name, one]));
  const [first, ...others] = [...known.values()];
  return first ? [first, ...others, own] : [own];
}

/** Returns what the commit of a run may follow on a branch, where these runs were pushed to. */
export function followedCommits(
  { run, executionId, originals }: PublishedRun,
  branch: string,
  there: readonly PublicationRow[],
): FollowedCommits {
  return {
    heads: there.map(({ sha }) => sha),
    runs: there.map((row) => row.executionId).filter((id) => id !== executionId),
    replaced: originals.filter((row) => row.branch === branch).map((row) => row.executionId),
    isOpen: run.follows?.branch === branch,
  };
}
