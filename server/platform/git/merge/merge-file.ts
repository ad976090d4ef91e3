import type { FileChange, FileConflict } from '../git-messages.ts';
import { Stopped } from '../repository.ts';
import { mergeText } from './merge-text.ts';

/** Merges a file that both sides have changed. One that the tree no longer has is a conflict, and so is one that is not text, unless one side has kept it. */
export function mergeFile({ path, before, after }: FileChange, theirs: Uint8Array | null): { content: Uint8Array } | FileConflict {
  if (theirs === null || after === null) return { path, reason: 'removed', lines: [] };
  if (isSame(before, theirs) || isSame(after, theirs)) return { content: after };
  if (isSame(before, after)) return { content: theirs };
  const { content, conflicts } = mergeText(before ?? new Uint8Array(), after, theirs);
  if (content !== null) return { content };
  return { path, reason: conflicts.length > 0 ? 'lines' : 'binary', lines: conflicts.slice(0, maxShownConflicts) };
}

function isSame(one: Uint8Array | null, other: Uint8Array): boolean {
  return one !== null && Buffer.compare(one, other) === 0;
}

/** Returns what ends the work: each path once, and what conflicts in the first files. */
export function conflicted(conflicts: readonly FileConflict[]): Stopped {
  return new Stopped('base_moved', { files: conflicts.map(({ path }) => path), conflicts: conflicts.slice(0, maxToldFiles) });
}

/** The files whose conflicts are told. */
const maxToldFiles = 20;

/** The conflicts of one file that are told. */
const maxShownConflicts = 3;
