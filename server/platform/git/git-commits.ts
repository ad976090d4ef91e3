import type { Egress } from '../egress/egress.ts';
import { ProcessLanes } from '../processes/process-lanes.ts';
import { GitFailed } from './git-failed.ts';
import type { BaseFile, FollowedCommits, GitLimits, NewCommit, PushedCommit, PushedFiles, TreeListing } from './git-messages.ts';
import { type GitCaller, runGitProcess } from './git-process.ts';

type ListOrigin = () => Promise<TreeListing | null>;

type PushRequest = {
  url: string;
  token: string;
  /** Where a new branch begins: a branch or a tag. */
  ref: string | null;
  commit: NewCommit;
  run: string;
  /** The last commit that was pushed for this run; null before the first. */
  head: string | null;
  isSame?: boolean;
  follows?: FollowedCommits;
  /** What the run had in its files at that commit; null where it is not known. */
  pushed?: PushedFiles | null;
  /** Lists the files that the run began with. It is called where the repository has renamed or removed one of them. */
  origin?: ListOrigin;
  limits: GitLimits;
  caller?: GitCaller;
};

type BundleRequest = {
  /** The repository that the run began with; null for none. */
  from: { url: string; ref: string; token: string | null } | null;
  /** Without a repository: the files that the run began with. */
  base: BaseFile[];
  commit: NewCommit;
  origin?: ListOrigin;
  limits: GitLimits;
  caller?: GitCaller;
};

/** Only commits of the run itself. */
const ownCommits: FollowedCommits = { heads: [], runs: [], replaced: [], isOpen: false };

/** Makes commits of the files of runs. Throws `GitFailed`. */
export function createGitCommits(egress: Egress, lanes = new ProcessLanes()) {
  return {
    /** Pushes a commit to the branch of a run. */
    push: async ({
      url,
      token,
      ref,
      commit,
      run,
      head,
      isSame = false,
      follows = ownCommits,
      pushed: before = null,
      origin,
      limits,
      caller,
    }: PushRequest): Promise<PushedCommit> => {
      const task = { kind: 'task', work: 'push', ref, commit, run, head, isSame, follows, pushed: before, limits } as const;
      const pushed = await runGitProcess({ egress, lanes, caller, url, token, task, origin });
      if (pushed.kind !== 'pushed') throw new GitFailed('failed');
      return { sha: pushed.sha, base: pushed.base, renamed: pushed.renamed };
    },

    /** Returns a commit as a file that `git fetch` takes in the place of a repository. */
    bundle: async ({ from, base, commit, origin, limits, caller }: BundleRequest): Promise<Uint8Array> => {
      const source = from && { ref: from.ref };
      const task = { kind: 'task', work: 'bundle', from: source, base, commit, limits } as const;
      const made = await runGitProcess({ egress, lanes, caller, url: from?.url ?? null, token: from?.token ?? null, task, origin });
      if (made.kind !== 'bundled') throw new GitFailed('failed');
      return made.content;
    },
  };
}

export type GitCommits = ReturnType<typeof createGitCommits>;
