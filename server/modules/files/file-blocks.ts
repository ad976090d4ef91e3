import type { RefusalReason } from '../../../contract/executions/file.ts';
import { endsInside } from './ends-inside.ts';
import { safePath, shownPath } from './safe-path.ts';

export type FileBlock = {
  path: string;
  /** The word after the fence. */
  language: string | null;
  content: string;
  /** Bytes. */
  size: number;
} & FileMarks;
type FileMarks = {
  /** The path that the file had before. */
  movedFrom?: string;
  /** Absent: the mode that the path has, or an ordinary one. */
  executable?: boolean;
};
/** A file that a step removes, and one that it moves with the bytes of the base tree's file `movedFrom`, which is not text. */
type RemovedFile = { path: string; removed: true };
type MovedFile = { path: string; size: number; movedFrom: string; executable?: boolean; content: null };
/** What a step does to a file of its run. */
export type FileChange = FileBlock | RemovedFile | MovedFile;
export type RefusedFile = { path: string; reason: RefusalReason };
export type FileBlocks = { files: FileBlock[]; refused: RefusedFile[] };

/** The limits: bytes of one file, files of one answer, refused files of one answer. */
export const largestFile = 256 * 1024;
export const maxFiles = 100;
/** The most fence lines that are read of one answer: fifty times as many as the files need. */
const maxFenceLines = 10_000;
/** The most characters of a block per byte of a file: a list may indent every line. */
const largestIndentShare = 2;

/**
 * Returns the files in an agent's answer: fenced blocks whose info string ends in `path=...`. Of several blocks with one path the last
 * one wins; lines end in a line feed. An unclosed block was cut off and is no file. A refused file is listed with
 * the reason. R42
 */
export function fileBlocksOf(text: string): FileBlocks {
  if (!text.includes('path=')) return { files: [], refused: [] };
  const files = new Map<string, FileBlock>();
  const refused: RefusedFile[] = [];
  for (const block of pathBlocks(text)) {
    const file = wholeFileOf(block, files);
    if (typeof file !== 'string') files.set(file.path, file);
    else if (refused.length < maxFiles) refused.push({ path: shownPath(block.path), reason: file });
  }
  return { files: [...files.values()], refused };
}

/** Returns a text file that a person gave, or why it is refused. `known`: a path that is in the base tree, whatever some systems think of it. */
export function blockOfFile(name: string, content: string, known: string | null = null): FileBlock | RefusalReason {
  return fileOf({ path: name, language: null, body: content, indent: 0 }, new Map(), known);
}

/** A model may have closed the fence of a file that its limit cut off. */
function wholeFileOf(block: PathBlock, files: ReadonlyMap<string, FileBlock>): FileBlock | RefusalReason {
  const file = fileOf(block, files);
  return typeof file !== 'string' && endsInside(file.path, file.content) ? 'unclosed' : file;
}

/** Returns the block's file, or why it is refused beside the other files of the answer. */
function fileOf(
  { path: raw, language, body, indent }: PathBlock,
  files: ReadonlyMap<string, FileBlock>,
  known: string | null = null,
): FileBlock | RefusalReason {
  const safe = known === null ? safePath(raw) : ({ ok: true, path: known } as const);
  if (!safe.ok) return safe.reason;
  if (body === null) return 'unclosed';
  if (body.includes('\0')) return 'binary';
  if (body.length > largestFile * largestIndentShare) return 'too_large';
  const content = contentOf(body, indent);
  const size = Buffer.byteLength(content);
  if (size > largestFile) return 'too_large';
  if (!files.has(safe.path) && files.size >= maxFiles) return 'no_room';
  return { path: safe.path, language, content, size };
}

/** `body`: the text between the fences, without the indent of the opening one; null if no fence closes it. */
type PathBlock = { path: string; language: string | null; body: string | null; indent: number };
type Fence = { mark: string; length: number; indent: number; block: PathBlock | null };

/** An opening fence may be inside a list, at any depth. The pattern matches every character, so that no part is tried twice. */
const opening = /^([ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(`{3,}|~{3,})(.*)$/s;
const closing = /^([ \t]*)(`{3,}|~{3,})[ \t]*$/;
/** The most additional indent of a closing fence. */
const closingIndent = 3;
/** The longest name of a language (characters). */
const maxLanguageLength = 40;

function pathBlocks(text: string): PathBlock[] {
  const blocks: PathBlock[] = [];
  let fence: Fence | null = null;
  let bodyStart = 0;
  for (const { line, start, end } of fenceLines(text)) {
    if (fence === null) {
      fence = openedBy(line);
      bodyStart = end + 1;
      if (fence?.block) blocks.push(fence.block);
    } else if (closes(fence, line)) {
      if (fence.block) fence.block.body = text.slice(bodyStart, start);
      fence = null;
    }
  }
  return blocks;
}

/** Returns the first lines with fence marks: no other line opens or closes a block. `end` is the position of the line feed. */
function* fenceLines(text: string): Generator<{ line: string; start: number; end: number }> {
  const marks = /```|~~~/g;
  for (let count = 0; count < maxFenceLines; count += 1) {
    const found = marks.exec(text);
    if (found === null) return;
    const start = text.lastIndexOf('\n', found.index) + 1;
    const feed = text.indexOf('\n', found.index);
    const end = feed < 0 ? text.length : feed;
    const line = text.slice(start, end);
    yield { line: feed >= 0 && line.endsWith('\r') ? line.slice(0, -1) : line, start, end };
    marks.lastIndex = end;
  }
}

function openedBy(line: string): Fence | null {
  const [, before = '', marks = '', info = ''] = opening.exec(line) ?? [];
  // After a backtick fence, another backtick makes it inline code.
  if (marks === '' || (marks.startsWith('`') && info.includes('`'))) return null;
  const path = /(?:^|[ \t])path=(.*)$/s.exec(info)?.[1];
  const word = /[^ \t]+/.exec(info)?.[0] ?? '';
  const language = word.length <= maxLanguageLength && /^[\w+#.-]+$/.test(word) ? word : null;
  const indent = before.length;
  return { mark: marks.charAt(0), length: marks.length, indent, block: path === undefined ? null : { path, language, body: null, indent } };
}

function closes({ mark, length, indent }: Fence, line: string): boolean {
  const [, before = '', marks = ''] = closing.exec(line) ?? [];
  return marks.startsWith(mark) && marks.length >= length && before.length <= indent + closingIndent;
}

function contentOf(body: string, indent: number): string {
  const text = body.replaceAll('\r\n', '\n').toWellFormed();
  if (indent === 0) return text;
  return text
    .split('\n')
    .map((line) => withoutIndent(line, indent))
    .join('\n');
}

function withoutIndent(line: string, indent: number): string {
  let at = 0;
  while (at < indent && (line[at] === ' ' || line[at] === '\t')) at += 1;
  return line.slice(at);
}
