import type { BasePath } from '../files/index.ts';

/** The files that a run begins with. The caller has checked who may read them. */
export type BaseTree = {
  /** Returns all files by path; none for a run without a base tree. */
  list: (executionId: string) => Promise<readonly { path: string; bytes: number }[]>;
  /** Returns all paths of the base tree that a written file must fit beside, with those that were left out. */
  paths: (executionId: string) => Promise<readonly BasePath[]>;
  /** Returns the text of a file; null for a binary or unknown one. */
  text: (executionId: string, path: string) => Promise<{ text: string; sha256: string } | null>;
  /** Reads the texts of all files by path, those of PDFs too. */
  readTexts: (executionId: string) => AsyncIterable<{ path: string; text: string }>;
};
