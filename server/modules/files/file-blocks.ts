import type { RefusalReason } from '../../../contract/file.ts';
import { safePath, shownPath } from './safe-path.ts';

export type FileBlock = {
  path: string /** The word after the fence. */;
  language: string | null;
  content: string /** Bytes. */;
  size: number;
};
export type RefusedFile = { path: string; reason: RefusalReason };
export type FileBlocks = { files: FileBlock[]; refused: RefusedFile[] };

/** Bytes of one file, and files and refusals of one answer. */
export const largestFile = 256 * 1024;
export const mostFiles = 100;

/**
 * The files that an agent's answer hands over: the fenced blocks whose info string ends in `path=...`, as Markdown shows them. Of
 * several with one path the last one wins; lines end in a line feed. A block that is never closed has been cut off and is no
 * file. What is not taken is named with the reason. R42
 */
export function fileBlocksOf(text: string): FileBlocks {
  if (!text.includes('path=')) return { files: [], refused: [] };
  const files = new Map<string, FileBlock>();
  const refused: RefusedFile[] = [];
  for (const { path: raw, language, lines, closed } of pathBlocks(text)) {
    const safe = safePath(raw);
    const content = lines.length === 0 ? '' : `${lines.join('\n')}\n`.toWellFormed();
    const size = Buffer.byteLength(content);
    const reason = refusalOf({ safe, closed, content, size, full: safe.ok && !files.has(safe.path) && files.size >= mostFiles });
    if (reason) refused.push({ path: shownPath(raw), reason });
    else if (safe.ok) files.set(safe.path, { path: safe.path, language, content, size });
  }
  return { files: [...files.values()], refused: refused.slice(0, mostFiles) };
}

function refusalOf(block: {
  safe: ReturnType<typeof safePath>;
  closed: boolean;
  content: string;
  size: number;
  full: boolean;
}): RefusalReason | null {
  if (!block.safe.ok) return block.safe.reason;
  if (!block.closed) return 'unclosed';
  if (block.content.includes('\0')) return 'binary';
  if (block.size > largestFile) return 'too_large';
  return block.full ? 'no_room' : null;
}

type PathBlock = { path: string; language: string | null; lines: string[]; closed: boolean };
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
  for (const line of text.split(/\r?\n/)) {
    if (fence === null) {
      fence = openedBy(line);
      if (fence?.block) blocks.push(fence.block);
    } else if (closes(fence, line)) {
      if (fence.block) fence.block.closed = true;
      fence = null;
    } else fence.block?.lines.push(withoutIndent(line, fence.indent));
  }
  return blocks;
}

function openedBy(line: string): Fence | null {
  const [, before = '', marks = '', info = ''] = opening.exec(line) ?? [];
  // Behind backticks, another one makes it a piece of code within a line.
  if (marks === '' || (marks.startsWith('`') && info.includes('`'))) return null;
  const path = /(?:^|[ \t])path=(.*)$/s.exec(info)?.[1];
  const word = info.split(/[ \t]/).find((part) => part !== '') ?? '';
  const language = word.length <= longestLanguage && /^[\w+#.-]+$/.test(word) ? word : null;
  const block = path === undefined ? null : { path, language, lines: [], closed: false };
  return { mark: marks.charAt(0), length: marks.length, indent: before.length, block };
}

function closes({ mark, length, indent }: Fence, line: string): boolean {
  const [, before = '', marks = ''] = closing.exec(line) ?? [];
  return marks.startsWith(mark) && marks.length >= length && before.length <= indent + closingIndent;
}

function withoutIndent(line: string, indent: number): string {
  let at = 0;
  while (at < indent && (line[at] === ' ' || line[at] === '\t')) at += 1;
  return line.slice(at);
}
