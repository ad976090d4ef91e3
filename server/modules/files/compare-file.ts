import { formatPatch, type StructuredPatch, structuredPatch } from 'diff';

export type FileDiff = {
  path: string;
  change: 'added' | 'changed';
  additions: number;
  deletions: number;
  /** The format of git, which `git apply` and `patch -p1` read. */
  diff: string;
};

/** The most differing lines; a file with more counts as rewritten. The time of a comparison grows with their square. */
export const maxEdits = 800;
/** The most lines of a text that is compared; a longer one counts as rewritten. */
const maxLines = 20_000;
const contextLines = 3;

export type FileVersions = {
  path: string;
  /** Null for a new file. */
  before: string | null;
  after: string;
};

/** `edits`: the number of edits that were searched; its square is the cost of the comparison. */
export type ComparedFile = { diff: FileDiff | null; edits: number };

/**
 * Returns the differences of a file's text from its earlier version, or from an empty file; null without any. The last line of either may have no line feed. A
 * file with more than `limit` differing lines is shown with all lines replaced, and so is one with very many lines.
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

/** Removes all lines and adds all lines: correct, but longer than necessary. An empty text has no lines. */
function rewritten(before: string, after: string): StructuredPatch['hunks'] {
  const [old, now] = [linesOf(before), linesOf(after)];
  if (old.length + now.length === 0) return [];
  const lines = [...marked('-', before, old), ...marked('+', after, now)];
  return [{ oldStart: 1, oldLines: old.length, newStart: 1, newLines: now.length, lines }];
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n').slice(0, text.endsWith('\n') ? -1 : undefined);
}

/** Marks all lines of a text, and says so where its last line has no line feed. */
function marked(mark: '-' | '+', text: string, lines: readonly string[]): string[] {
  const isOpen = text !== '' && !text.endsWith('\n');
  return [...lines.map((line) => `${mark}${line}`), ...(isOpen ? ['\\ No newline at end of file'] : [])];
}

function hasManyLines(text: string): boolean {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    count += 1;
    if (count > maxLines) return true;
  }
  return false;
}
