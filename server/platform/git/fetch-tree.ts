import { visibleName } from '../../../rules/text/hidden-characters.ts';
import type { Egress } from '../egress/egress.ts';
import { ProcessLanes } from '../processes/process-lanes.ts';
import { GitFailed } from './git-failed.ts';
import type { GitFile, GitLimits } from './git-messages.ts';
import { type GitCaller, runGitProcess } from './git-process.ts';

export type FetchedTree = { sha: string; ref: string; isBranch: boolean; files: GitFile[] };

export type GitRequest = {
  /** The address of the repository, without name, password and a slash at its end. */
  url: string;
  /** A branch, a tag, or the commit of one of them; null for the default branch. */
  ref: string | null;
  /** A reference, perhaps followed by a path, as a page's address has it. It counts where `ref` is null. */
  page?: string | null;
  token: string | null;
  limits: GitLimits;
  caller?: GitCaller;
};

/** Reads the tree of one commit, without its history. Throws `GitFailed`. */
export function createFetchTree(egress: Egress, lanes = new ProcessLanes()) {
  return async ({ url, ref, page = null, token, limits, caller }: GitRequest): Promise<FetchedTree> => {
    let files: GitFile[] = [];
    const task = { kind: 'task', work: 'fetch', ref, page, limits } as const;
    const fetched = await runGitProcess({ egress, lanes, caller, url, token, task }, () => {
      files = [];
      let received = 0;
      return (file) => {
        const bytes = 'content' in file ? file.content.length : 0;
        received += bytes;
        files.push(file);
        if (received > limits.bytes || files.length > limits.files) throw new GitFailed('too_large');
        if (caller?.grow?.(bytes) === false) throw new GitFailed('busy');
      };
    });
    if (fetched.kind !== 'fetched') throw new GitFailed('failed');
    // Git allows no such name: it comes from a server of another kind.
    if (visibleName(fetched.ref) !== fetched.ref) throw new GitFailed('ref');
    return { sha: fetched.sha, ref: fetched.ref, isBranch: fetched.isBranch, files };
  };
}

export type FetchTree = ReturnType<typeof createFetchTree>;
