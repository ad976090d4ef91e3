import { formatPatch, type StructuredPatch, structuredPatch } from 'diff';

export type FileDiff = {
  path: string;
  change: 'added' | 'changed';
  additions: number;
  deletions: number;
  /** As git writes it, so that `git apply` and `patch -p1` read it. */
  diff: string;
};

/** Lines that may differ before a file counts as written anew. The time of a comparison grows with their square. */
export const maxEdits = 800;
/** Lines of a text that is compared; a longer one counts as written anew. */
const maxLines = 20_000;
const contextLines = 3;

export type FileVersions = {
  path: string;
  /** Null where there was no such file. */
  before: string | null;
  after: string;
};

/** `edits`: the lines that were looked for, whose square is what the comparison cost. */
export type ComparedFile = { diff: FileDiff | null; edits: number };

/**
 * How a file's text differs from what it was, or from nothing; null where it does not. Lines end in a line feed. A file in which more than
 * `limit` lines differ is shown with all lines replaced, and so is one with very many lines.
 */
export function compareFile({ path, before, after }: FileVersions, limit = maxEdits): ComparedFile {
  if (before === after) return { diff: null, edits: 0 };
  const isComparable = before !== null && before !== '' && !hasManyLines(before) && !hasManyLines(after);
  const compared = isComparable ? hunksOf(before, after, limit) : undefined;
  const hunks = compared ?? rewritten(before ?? '', after);
  let additions = 0;
  let deletions = 0;
  for (const { lines } of hunks) {
    for (const line of lines) {
      if (line.startsWith('+')) additions += 1;
      else if (line.startsWith('-')) deletions += 1;
    }
  }
  const names = { oldFileName: before === null ? '/dev/null' : `a/${path}`, newFileName: `b/${path}` };
  const patch = { ...names, oldHeader: undefined, newHeader: undefined, hunks, isGit: true, isCreate: before === null };
  const text = formatPatch(patch);
  const change = before === null ? 'added' : 'changed';
  const edits = compared ? additions + deletions : isComparable ? limit : 0;
  return { diff: { path, change, additions, deletions, diff: path.includes(' ') ? withEndedNames(text, path) : text }, edits };
}

/** `patch` reads a name up to its first space, unless a tab ends it. */
function withEndedNames(diff: string, path: string): string {
  return diff
    .replace(`\n--- a/${path}\n`, (line) => `${line.trimEnd()}\t\n`)
    .replace(`\n+++ b/${path}\n`, (line) => `${line.trimEnd()}\t\n`);
}

function hunksOf(before: string, after: string, limit: number): StructuredPatch['hunks'] | undefined {
  return structuredPatch('', '', before, after, undefined, undefined, { context: contextLines, maxEditLength: limit })?.hunks;
}

/** All lines taken out and all put in: right, if longer than it need be. A text without lines has none. */
function rewritten(before: string, after: string): StructuredPatch['hunks'] {
  const [old, now] = [linesOf(before), linesOf(after)];
  if (old.length + now.length === 0) return [];
  const lines = [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)];
  return [{ oldStart: 1, oldLines: old.length, newStart: 1, newLines: now.length, lines }];
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n').slice(0, -1);
}

function hasManyLines(text: string): boolean {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    count += 1;
    if (count > maxLines) return true;
  }
  return false;
}
