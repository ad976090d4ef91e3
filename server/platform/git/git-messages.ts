/** Why a repository could not be read. */
export type GitFailure = 'not_found' | 'needs_token' | 'ref' | 'too_large' | 'timeout' | 'host' | 'failed';

export type GitLimits = {
  /** Of the pack that is received, and of all files together. */
  bytes: number;
  files: number;
  /** Of one file. */
  fileBytes: number;
};

/** A file of a tree, or why it was left out: links lead out of the tree, and a submodule is another repository. */
export type GitFile = { path: string; content: Uint8Array } | { path: string; reason: 'link' | 'too_large' };

/** What the process of `fetchTree` is given first. */
export type GitTask = { kind: 'task'; ref: string | null; limits: GitLimits };

/** A call that the process asks for: it has no network. `path` follows the address of the repository. */
export type GitCall = { kind: 'call'; id: number; path: string; method: string; headers: Record<string, string>; body: Uint8Array | null };

export type GitAnswer = { kind: 'answer'; id: number; status: number; headers: Record<string, string>; body: Uint8Array };

export type FromGitProcess =
  | GitCall
  | { kind: 'file'; file: GitFile }
  | { kind: 'done'; sha: string; ref: string }
  | { kind: 'failed'; reason: GitFailure };
