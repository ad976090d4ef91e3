import type { LineConflict } from './merge/merge-text.ts';

/** Why a repository could not be read or written. */
export type GitFailure =
  | 'not_found'
  /** The name of its host is not known. */
  | 'no_host'
  /** The operator's proxy did not connect: `text` says what it needs. */
  | 'proxy'
  | 'needs_token'
  | 'ref'
  /** It has no commit. */
  | 'empty'
  /** Its default branch is not there: `branches` are some that are. */
  | 'head'
  /** Its certificate is not trusted. */
  | 'untrusted'
  | 'too_large'
  /** It has more files than `limit`. */
  | 'file_limit'
  /** It has none of the paths that were asked for. */
  | 'paths'
  | 'timeout'
  | 'host'
  | 'failed'
  /** The repositories that are read now hold all memory for them. */
  | 'busy'
  /** The branch has commits that are not of this run: `ours` is the run's last commit on it, `theirs` is its newest. */
  | 'branch_moved'
  /** Files were changed both by the run and in the repository, and could not be merged: `conflicts`. */
  | 'base_moved'
  /** The repository has these files already. */
  | 'nothing'
  /** The server did not take the commit: `text` is what it says. */
  | 'rejected';

/**
 * A file that could not be merged. `lines`: the same lines were changed, of which the first are told. `removed`: the repository has removed what the
 * run has changed. `changed`: the run has removed, or taken back, what the repository has changed. `renamed`: both have renamed it, to `names`.
 * `moved`: the run has removed what the repository has renamed. `binary`: it is no text. `place`: the repository has something else in its place.
 */
export type FileConflict = {
  path: string;
  reason: 'lines' | 'removed' | 'changed' | 'renamed' | 'moved' | 'binary' | 'place';
  lines: LineConflict[];
  names?: { ours: string; theirs: string };
};

/** A file that the run or the repository has renamed, so that changes of the other side went to its new path. */
export type FollowedRename = { path: string; from: string };

/**
 * What a run had in its files when it was pushed last, by path: the name of the blob, and whether it was executable; null for a removed file.
 * A commit does not tell it, as it may have lines of others.
 */
export type PushedFiles = Record<string, { oid: string; isExecutable: boolean } | null>;

/** The files of a commit by path, with the names of their blobs; null for what is no file of a run. `paths`: only what is below them; all without any. */
export type TreeListing = { files: readonly { path: string; oid: string | null }[]; paths: readonly string[] };

export type GitFailureDetails = {
  ours?: string | null;
  theirs?: string;
  files?: string[];
  conflicts?: FileConflict[];
  text?: string;
  branches?: string[];
  limit?: number;
};

export type GitLimits = {
  /** Of the pack that is received, and of all files together. */
  bytes: number;
  files: number;
  /** Of one file. */
  fileBytes: number;
};

/**
 * A file of a tree with the name of its blob, or why it is no file of a run: links lead out of the tree, a submodule is another repository,
 * a name may be none of a path, and a path that holds the token with which it was read would bring it to models.
 */
export type TreeFile =
  | { path: string; oid: string; isExecutable: boolean }
  | { path: string; reason: 'link' | 'submodule' | 'token' | 'path_characters' | 'path_reserved' | 'path_too_long' | 'too_large' };

/**
 * A blob, or why its content is no text of a run: a pointer of Git LFS stands for a file elsewhere, and one that holds the token would bring it
 * to models.
 */
export type GitBlob = { oid: string; content: Uint8Array } | { oid: string; reason: 'lfs' | 'token' | 'too_large' };

/** The tree of a commit. `tree` is the name of its object. */
export type GitTree = { sha: string; ref: string; isBranch: boolean; tree: string; files: TreeFile[] };

/**
 * What a run did to a file. `before` is what the run began with; null for a new file. `after` is null for a removed file. `isUploaded`: a user gave
 * it to the run, so that a repository without it has not removed it. `isExecutable`: the mode that the run leaves; a file keeps the one that it has in
 * the repository where the run has not changed it, or where nothing is told.
 */
export type FileChange = {
  path: string;
  before: Uint8Array | null;
  after: Uint8Array | null;
  isUploaded?: boolean;
  wasExecutable?: boolean;
  isExecutable?: boolean;
};

/** A file that a run began with. */
export type BaseFile = { path: string; content: Uint8Array; isExecutable: boolean };

/** Who a commit is by. */
export type CommitPerson = { name: string; email: string };

/**
 * A commit that is made of files. `seconds` is its time since 1970; the same values make the same commit. Without an author it is Artel's own.
 */
export type NewCommit = { files: FileChange[]; branch: string; message: string; seconds: number; author?: CommitPerson | null };

/**
 * What a commit may follow on a branch that is there, beside those of its own run: commits of other runs that are known (`heads`), or that name
 * these runs and follow a known one. Those of `replaced` runs give way: the originals of a fork. `isOpen`: every commit, as the run began with
 * this branch.
 */
export type FollowedCommits = { heads: string[]; runs: string[]; replaced: string[]; isOpen: boolean };

/**
 * `run` stands in a line of the message. `head` is the last commit that was pushed for this run; null before the first. `isSame`: the run has the
 * files that it had then.
 */
export type PushTask = {
  ref: string | null;
  commit: NewCommit;
  run: string;
  head: string | null;
  isSame: boolean;
  follows: FollowedCommits;
  /** Null where it is not known. */
  pushed: PushedFiles | null;
};

/**
 * What the process is given first. `ref` is a branch, a tag, or the commit of one of them; null for the default branch. `page`: a reference,
 * perhaps followed by a path, which counts where `ref` is null. `paths`: folders and files that are read; the whole tree without any.
 */
export type GitTask = { kind: 'task'; limits: GitLimits } & (
  | { work: 'fetch'; ref: string | null; page: string | null; paths: readonly string[] }
  | ({ work: 'push' } & PushTask)
  /** Without `from`, the commit before has `base`. */
  | { work: 'bundle'; from: { ref: string } | null; base: BaseFile[]; commit: NewCommit }
);

/** A call that the process asks for: it has no network. `path` follows the address of the repository. */
export type GitCall = { kind: 'call'; id: number; path: string; method: string; headers: Record<string, string>; body: Uint8Array | null };

/** `file`: the answer is long, and lies in this file. */
export type GitAnswer = {
  kind: 'answer';
  id: number;
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
  file: string | null;
};

/** What the parent answers to a tree: the blobs that it does not have. To blobs it answers with none, when it has taken them. */
export type GitTaken = { kind: 'taken'; wanted: readonly string[] };

/** What the parent answers to `listing`: the files that the run began with; null where the repository is another one. */
export type GitListing = { kind: 'listed'; listing: TreeListing | null };

/** A commit on a branch. `base` is the commit that the branch began at; null when the branch was there. `renamed`: null where nothing was merged. */
export type PushedCommit = { sha: string; base: string | null; renamed: FollowedRename[] | null };

export type FromGitProcess =
  | GitCall
  | ({ kind: 'tree' } & GitTree)
  | { kind: 'blobs'; blobs: GitBlob[] }
  | { kind: 'listing' }
  | { kind: 'fetched' }
  | ({ kind: 'pushed' } & PushedCommit)
  | { kind: 'bundled'; content: Uint8Array }
  | { kind: 'failed'; reason: GitFailure; details: GitFailureDetails };
