import type { InputRefusal } from '../../../../contract/input.ts';
import type { BasePath } from '../../files/index.ts';

/** `encoding`: what a text was read as, unless it is plain UTF-8. */
export type ListedFile = { path: string; bytes: number; encoding: string | null; replaced: number };

/** The files that a run begins with. The caller has checked who may read them. */
export type BaseTree = {
  /** Returns all files by path; none for a run without a base tree. `folder`: only those below it, which ends with a slash. */
  list: (executionId: string, folder?: string) => Promise<readonly ListedFile[]>;
  /** Returns the files at these paths, and those whose paths have the same characters in another normal form. */
  at: (executionId: string, paths: readonly string[]) => Promise<readonly ListedFile[]>;
  /** Returns the first paths below a folder, which ends with a slash: more than a run can remove. */
  below: (executionId: string, folder: string) => Promise<readonly string[]>;
  /** Returns which of these paths the base tree has. */
  has: (executionId: string, paths: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Returns the paths of the base tree that files must fit beside: those written, and others. Those that were left out are among them. */
  paths: (
    executionId: string,
    written: readonly { path: string; content: string }[],
    others?: readonly string[],
  ) => Promise<readonly BasePath[]>;
  /** Returns which of these files are executable. */
  executables: (executionId: string, paths: readonly string[]) => Promise<readonly string[]>;
  /** Returns what the base tree has by name only, with the reason: links, submodules, pointers of Git LFS, and files that were too large. `paths`: only these. */
  leftOut: (executionId: string, paths?: readonly string[]) => Promise<readonly { path: string; reason: InputRefusal }[]>;
  /** Returns the text of a file; null for a binary or unknown one. */
  text: (executionId: string, path: string) => Promise<{ text: string; sha256: string } | null>;
  /** Reads the texts of all files by path, those of PDFs too. */
  readTexts: (executionId: string) => AsyncIterable<{ path: string; text: string }>;
};
