import { formatPatch, type StructuredPatch, structuredPatch } from 'diff';

export type FileDiff = {
  path: string;
  change: 'added' | 'changed';
  additions: number;
  deletions: number;
  /** As git writes it, so that `git apply` and `patch -p1` read it. */
  diff: string;
};

/** Lines that may differ before a file counts as written anew: the time of a comparison grows with their square. */
const mostEdits = 800;
const contextLines = 3;

/** How a file's text differs from what it was, or from nothing; null where it does not. Lines end in a line feed. */
export function fileDiff(path: string, before: string | null, after: string): FileDiff | null {
  if (before === after) return null;
  const { hunks } = compared(before ?? '', after) ?? rewritten(before ?? '', after);
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const names = { oldFileName: before === null ? '/dev/null' : `a/${path}`, newFileName: `b/${path}` };
  const patch = { ...names, oldHeader: undefined, newHeader: undefined, hunks, isGit: true, isCreate: before === null };
  return {
    path,
    change: before === null ? 'added' : 'changed',
    additions: lines.filter((line) => line.startsWith('+')).length,
    deletions: lines.filter((line) => line.startsWith('-')).length,
    diff: path.includes(' ') ? withEndedNames(formatPatch(patch), path) : formatPatch(patch),
  };
}

/** `patch` reads a name up to its first space, unless a tab ends it. */
function withEndedNames(diff: string, path: string): string {
  return diff
    .replace(`\n--- a/${path}\n`, (line) => `${line.trimEnd()}\t\n`)
    .replace(`\n+++ b/${path}\n`, (line) => `${line.trimEnd()}\t\n`);
}

function compared(before: string, after: string): Pick<StructuredPatch, 'hunks'> | undefined {
  return structuredPatch('', '', before, after, undefined, undefined, { context: contextLines, maxEditLength: mostEdits });
}

/** All lines taken out and all put in: right, if longer than it need be. */
function rewritten(before: string, after: string): Pick<StructuredPatch, 'hunks'> {
  const [old, now] = [linesOf(before), linesOf(after)];
  const lines = [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)];
  return { hunks: [{ oldStart: 1, oldLines: old.length, newStart: 1, newLines: now.length, lines }] };
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n').slice(0, -1);
}
