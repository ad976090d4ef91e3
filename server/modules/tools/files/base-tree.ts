import type { InputRefusal } from '../../../../contract/input.ts';
import type { BasePath } from '../../files/index.ts';

export type ListedFile = { path: string; bytes: number; encoding: string | null; replaced: number };

/** The files that a run begins with. The caller has checked who may read them. */
export type BaseTree = {
  /** Returns all files by path; none for a run without a base tree. `encoding`: what a text was read as, unless it is plain UTF-8. */
  list: (executionId: string) => Promise<readonly ListedFile[]>;
  /** Returns all paths of the base tree that written files must fit beside, with those that were left out. */
  paths: (executionId: string, written: readonly { path: string; content: string }[]) => Promise<readonly BasePath[]>;
  /** Returns which of these files are executable. */
  executables: (executionId: string, paths: readonly string[]) => Promise<readonly string[]>;
  /** Returns what the base tree has by name only, with the reason: links, submodules, pointers of Git LFS, and files that were too large. */
  leftOut: (executionId: string) => Promise<readonly { path: string; reason: InputRefusal }[]>;
  /** Returns the text of a file; null for a binary or unknown one. */
  text: (executionId: string, path: string) => Promise<{ text: string; sha256: string } | null>;
  /** Reads the texts of all files by path, those of PDFs too. */
  readTexts: (executionId: string) => AsyncIterable<{ path: string; text: string }>;
};
