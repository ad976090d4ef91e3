import { visibleName } from '../../../rules/text/hidden-characters.ts';
import type { Egress } from '../egress/egress.ts';
import type { GitFile, GitLimits } from './git-messages.ts';
import { GitFailed, runGitProcess } from './git-process.ts';

export type FetchedTree = { sha: string; ref: string; files: GitFile[] };

export type GitRequest = {
  /** The address of the repository, without name, password and a slash at its end. */
  url: string;
  /** A branch, a tag, or the commit of one of them; null for the default branch. */
  ref: string | null;
  token: string | null;
  limits: GitLimits;
  signal?: AbortSignal;
};

/** Reads the tree of one commit, without its history. Throws `GitFailed`. */
export function createFetchTree(egress: Egress) {
  return async ({ url, ref, token, limits, signal }: GitRequest): Promise<FetchedTree> => {
    const files: GitFile[] = [];
    let received = 0;
    const task = { kind: 'task', work: 'fetch', ref, limits } as const;
    const fetched = await runGitProcess({ egress, url, token, task, ...(signal && { signal }) }, (file) => {
      received += 'content' in file ? file.content.length : 0;
      files.push(file);
      if (received > limits.bytes || files.length > limits.files) throw new GitFailed('too_large');
    });
    if (fetched.kind !== 'fetched') throw new GitFailed('failed');
    // Git allows no such name: it comes from a server of another kind.
    if (visibleName(fetched.ref) !== fetched.ref) throw new GitFailed('ref');
    return { sha: fetched.sha, ref: fetched.ref, files };
  };
}

export type FetchTree = ReturnType<typeof createFetchTree>;
