import { visibleName } from '../../../rules/text/hidden-characters.ts';
import type { Egress } from '../egress/egress.ts';
import { ProcessLanes } from '../processes/process-lanes.ts';
import { GitFailed } from './git-failed.ts';
import type { GitLimits, GitTree } from './git-messages.ts';
import { type GitCaller, runGitProcess, type TreeReceiver } from './git-process.ts';

/**
 * How a project reads a repository. `isOwn`: the project is published to this repository. `paths`: the folders and files that it reads of it; all without
 * any.
 */
export type RepositoryAccess = { token: string | null; isOwn: boolean; paths: readonly string[] };

export type GitRequest = {
  /** The address of the repository, without name, password and a slash at its end. */
  url: string;
  /** A branch, a tag, or the commit of one of them; null for the default branch. */
  ref: string | null;
  /** A reference, perhaps followed by a path, as a page's address has it. It counts where `ref` is null. */
  page?: string | null;
  /** Folders and files that are read; the whole tree without any. */
  paths?: readonly string[];
  token: string | null;
  limits: GitLimits;
  caller?: GitCaller;
};

/**
 * Reads the tree of one commit, without its history. The receiver says which blobs it needs when it is given the tree, and takes them a few
 * at a time. It may be given the same ones twice. Throws `GitFailed`.
 */
export function createFetchTree(egress: Egress, lanes = new ProcessLanes()) {
  return async ({ url, ref, page = null, paths = [], token, limits, caller }: GitRequest, receiver: TreeReceiver): Promise<void> => {
    const task = { kind: 'task', work: 'fetch', ref, page, paths, limits } as const;
    let wanted: Promise<readonly string[]> | null = null;
    const tree = (one: GitTree) => {
      // Git allows no such name: it comes from a server of another kind.
      if (visibleName(one.ref) !== one.ref) throw new GitFailed('ref');
      // A process that is started again must ask the far side for the same.
      wanted ??= receiver.tree(one);
      return wanted;
    };
    const done = await runGitProcess({ egress, lanes, caller, url, token, task }, { ...receiver, tree });
    if (done.kind !== 'fetched') throw new GitFailed('failed');
  };
}

export type FetchTree = ReturnType<typeof createFetchTree>;
