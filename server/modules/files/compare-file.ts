import { formatPatch, OMIT_HEADERS, type StructuredPatch, structuredPatch } from 'diff';
import type { PullRequest } from '../../../contract/executions/file.ts';
import { binaryPatch } from './binary-patch.ts';
import { quotedName } from './quoted-name.ts';

export type ChangeOfFile = Pick<PullRequest['files'][number], 'change' | 'from' | 'similarity' | 'executable' | 'isBinary'>;

export type FileDiff = ChangeOfFile & {
  path: string;
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

/** A file's text, or its bytes where it is not text. */
type Content = string | Uint8Array;

export type FileVersions = {
  path: string;
  /** Null for a new file. */
  before: Content | null;
  /** Null for a removed file. */
  after: Content | null;
  /** The earlier path of a renamed file, with its similarity in percent. */
  renamed?: { from: string; similarity: number };
  wasExecutable?: boolean;
  isExecutable?: boolean;
};

/** `edits`: the number of edits that were searched; its square is the cost of the comparison. */
export type ComparedFile = { diff: FileDiff | null; edits: number };

/** `isPatch`: texts have a character for each byte, and files that are not text are in the patch with their bytes, not only named. */
export type CompareOptions = { limit?: number; isPatch?: boolean };

/**
 * Returns the differences of a file from its earlier version, or from an empty file; null without any. The last line of either may have no line feed. A
 * file with more than `limit` differing lines is shown with all lines replaced, and so is one with very many lines.
 */
export function compareFile(versions: FileVersions, { limit = maxEdits, isPatch = false }: CompareOptions = {}): ComparedFile {
  const { path, before, after, renamed } = versions;
  const isSame = isSameContent(before, after);
  const about = changeOf(versions);
  if (isSame && !renamed && about.executable === null && about.change === 'changed') return { diff: null, edits: 0 };
  const { hunks, edits } = isSame || isBytes(before) || isBytes(after) ? { hunks: [], edits: 0 } : compareTexts(before, after, limit);
  const body = about.isBinary && !isSame ? binaryBody(versions, isPatch) : textBody(versions, hunks);
  const diff = `${headOf(versions)}${body}`;
  return { diff: { path, ...about, additions: countOf(hunks, '+'), deletions: countOf(hunks, '-'), diff }, edits };
}

/** Returns how a file has changed, apart from its lines. A new file of the usual mode has none of its own. */
export function changeOf({ before, after, renamed, wasExecutable = false, isExecutable = false }: FileVersions): ChangeOfFile {
  const change = renamed ? 'renamed' : before === null ? 'added' : after === null ? 'removed' : 'changed';
  return {
    change,
    from: renamed?.from ?? null,
    similarity: renamed?.similarity ?? null,
    executable: after === null || (before !== null && wasExecutable) === isExecutable ? null : isExecutable,
    isBinary: isBytes(before) || isBytes(after),
  };
}

function isBytes(content: Content | null): content is Uint8Array {
  return content instanceof Uint8Array;
}

function isSameContent(before: Content | null, after: Content | null): boolean {
  return isBytes(before) && isBytes(after) ? Buffer.compare(before, after) === 0 : before === after;
}

function countOf(hunks: StructuredPatch['hunks'], sign: '+' | '-'): number {
  return hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0);
}

const modeOf = (isExecutable: boolean) => (isExecutable ? '100755' : '100644');

/** What git writes above the lines: modes, and the two paths of a renamed file. */
function headOf({ path, before, after, renamed, wasExecutable = false, isExecutable = false }: FileVersions): string {
  const lines = [`diff --git ${quotedName(`a/${renamed?.from ?? path}`)} ${quotedName(`b/${path}`)}`];
  if (before === null) lines.push(`new file mode ${modeOf(isExecutable)}`);
  else if (after === null) lines.push(`deleted file mode ${modeOf(wasExecutable)}`);
  else if (wasExecutable !== isExecutable) lines.push(`old mode ${modeOf(wasExecutable)}`, `new mode ${modeOf(isExecutable)}`);
  if (renamed) {
    const { from, similarity } = renamed;
    lines.push(`similarity index ${similarity}%`, `rename from ${quotedName(from)}`, `rename to ${quotedName(path)}`);
  }
  return `${lines.join('\n')}\n`;
}

/** Git writes no names for a file without lines. */
function textBody({ path, before, after, renamed }: FileVersions, hunks: StructuredPatch['hunks']): string {
  if (hunks.length === 0) return '';
  const old = before === null ? '/dev/null' : nameLine(`a/${renamed?.from ?? path}`);
  const now = after === null ? '/dev/null' : nameLine(`b/${path}`);
  return `--- ${old}\n+++ ${now}\n${formatPatch({ hunks, oldFileName: '', newFileName: '', oldHeader: '', newHeader: '' }, OMIT_HEADERS)}`;
}

/** `patch` reads a name up to its first space, unless a tab ends it. */
function nameLine(name: string): string {
  return `${quotedName(name)}${name.includes(' ') ? '\t' : ''}`;
}

function binaryBody({ path, before, after, renamed, wasExecutable, isExecutable = false }: FileVersions, isPatch: boolean): string {
  const bytesOf = (content: Content | null) => (typeof content === 'string' ? Buffer.from(content, 'latin1') : content);
  const isSameMode = before !== null && after !== null && (wasExecutable ?? false) === isExecutable;
  if (isPatch) return binaryPatch(bytesOf(before), bytesOf(after), isSameMode ? ` ${modeOf(isExecutable)}` : '');
  const old = before === null ? '/dev/null' : quotedName(`a/${renamed?.from ?? path}`);
  return `Binary files ${old} and ${after === null ? '/dev/null' : quotedName(`b/${path}`)} differ\n`;
}

function compareTexts(old: string | null, now: string | null, limit: number): { hunks: StructuredPatch['hunks']; edits: number } {
  const [before, after] = [old ?? '', now ?? ''];
  const isComparable = before !== '' && after !== '' && !hasManyLines(before) && !hasManyLines(after);
  const compared = isComparable ? hunksOf(before, after, limit) : undefined;
  const hunks = compared ?? rewritten(before, after);
  return { hunks, edits: compared ? countOf(hunks, '+') + countOf(hunks, '-') : isComparable ? limit : 0 };
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
