import type { RefusalReason } from '../../../contract/file.ts';
import { safePath, shownPath } from './safe-path.ts';

export type FileBlock = {
  path: string;
  /** The word after the fence. */
  language: string | null;
  content: string;
  /** Bytes. */
  size: number;
};
export type RefusedFile = { path: string; reason: RefusalReason };
export type FileBlocks = { files: FileBlock[]; refused: RefusedFile[] };

/** Bytes of one file, and files and refusals of one answer. */
export const largestFile = 256 * 1024;
export const mostFiles = 100;
/** Lines with marks of a fence that are read of one answer: fifty times as many as the files need. */
const maxFenceLines = 10_000;
/** A block may be this many times as long as a file, with the indent of a list before each line. */
const largestIndentShare = 2;

/**
 * The files that an agent's answer hands over: the fenced blocks whose info string ends in `path=...`, as Markdown shows them. Of
 * several with one path the last one wins; lines end in a line feed. A block that is never closed has been cut off and is no
 * file. What is not taken is named with the reason. R42
 */
export function fileBlocksOf(text: string): FileBlocks {
  if (!text.includes('path=')) return { files: [], refused: [] };
  const files = new Map<string, FileBlock>();
  const refused: RefusedFile[] = [];
  for (const block of pathBlocks(text)) {
    const file = fileOf(block, files);
    if (typeof file !== 'string') files.set(file.path, file);
    else if (refused.length < mostFiles) refused.push({ path: shownPath(block.path), reason: file });
  }
  return { files: [...files.values()], refused };
}

/** The block's file, or why it is none that is taken beside those of the same answer. */
function fileOf({ path: raw, language, body, indent }: PathBlock, files: ReadonlyMap<string, FileBlock>): FileBlock | RefusalReason {
  const safe = safePath(raw);
  if (!safe.ok) return safe.reason;
  if (body === null) return 'unclosed';
  if (body.includes('\0')) return 'binary';
  if (body.length > largestFile * largestIndentShare) return 'too_large';
  const content = contentOf(body, indent);
  const size = Buffer.byteLength(content);
  if (size > largestFile) return 'too_large';
  if (!files.has(safe.path) && files.size >= mostFiles) return 'no_room';
  return { path: safe.path, language, content, size };
}

/** `body`: the text between the fences, with the indent of the opening one; null where no fence closes it. */
type PathBlock = { path: string; language: string | null; body: string | null; indent: number };
type Fence = { mark: string; length: number; indent: number; block: PathBlock | null };

/** An opening fence may stand in a list, deep or right behind its mark. It takes every character, so that no part is tried twice. */
const opening = /^([ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(`{3,}|~{3,})(.*)$/s;
const closing = /^([ \t]*)(`{3,}|~{3,})[ \t]*$/;
/** How much further in than the opening one a closing fence may stand. */
const closingIndent = 3;
/** Characters of a language's name. */
const longestLanguage = 40;

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

/** The first lines that have the marks of a fence in them: no other line opens or closes a block. `end` is that of the line feed. */
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
  // Behind backticks, another one makes it a piece of code within a line.
  if (marks === '' || (marks.startsWith('`') && info.includes('`'))) return null;
  const path = /(?:^|[ \t])path=(.*)$/s.exec(info)?.[1];
  const word = /[^ \t]+/.exec(info)?.[0] ?? '';
  const language = word.length <= longestLanguage && /^[\w+#.-]+$/.test(word) ? word : null;
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
