import { splitAtHidden } from '../../../../../rules/text/hidden-characters.ts';
import type { CodeLanguage } from './code-language.ts';

type CodeKind = 'plain' | 'comment' | 'text' | 'keyword' | 'number' | 'hidden';
export type CodePart = { kind: CodeKind; text: string };

/** The open comment or string at the beginning of a line: its closing delimiter, and which of the two it is. */
export type CodeState = { kind: 'comment' | 'text'; until: string } | null;

/** Splits a line into coloured parts, and returns the comment or string that is open at its end. Linear in the line's length. */
export function colourLine(line: string, state: CodeState, language: CodeLanguage): { parts: CodePart[]; state: CodeState } {
  const parts: CodePart[] = [];
  let at = 0;
  let inside = state;
  const take = (kind: CodeKind, end: number) => {
    const last = parts.at(-1);
    const text = line.slice(at, end);
    if (last?.kind === kind) last.text += text;
    else if (text) parts.push({ kind, text });
    at = end;
  };
  while (at < line.length) {
    if (inside) {
      const end = line.indexOf(inside.until, at);
      take(inside.kind, end < 0 ? line.length : end + inside.until.length);
      if (end >= 0) inside = null;
      continue;
    }
    const begun = beginning(line, at, language);
    if (begun) {
      inside = begun.state;
      take(begun.kind, at + begun.length);
      continue;
    }
    word.lastIndex = at;
    const [found = ''] = word.exec(line) ?? [];
    if (!found) {
      take('plain', at + 1);
      continue;
    }
    const keyword = language.keywords.has(language.anyCase ? found.toLowerCase() : found);
    take(keyword ? 'keyword' : /^\d/.test(found) ? 'number' : 'plain', at + found.length);
  }
  return { parts, state: inside };
}

const word = /[\p{L}_$@][\p{L}\d_$]*|\d[\w.]*/uy;

/** Returns the part of a comment or string on this line. */
function beginning(
  line: string,
  at: number,
  { lineComment, blockComment, quotes, longQuotes }: CodeLanguage,
): { kind: 'comment' | 'text'; length: number; state: CodeState } | null {
  if (lineComment && line.startsWith(lineComment, at)) return { kind: 'comment', length: line.length - at, state: null };
  if (blockComment && line.startsWith(blockComment[0], at)) {
    return { kind: 'comment', length: blockComment[0].length, state: { kind: 'comment', until: blockComment[1] } };
  }
  const long = longQuotes.find((mark) => line.startsWith(mark, at));
  if (long) return { kind: 'text', length: long.length, state: { kind: 'text', until: long } };
  const mark = line[at] as string;
  if (!quotes.includes(mark)) return null;
  let end = at + 1;
  while (end < line.length && line[end] !== mark) end += line[end] === '\\' ? 2 : 1;
  return { kind: 'text', length: Math.min(line.length, end + 1) - at, state: null };
}

/** Splits the parts at characters that are invisible or change the direction of the text. */
export function withHidden(parts: readonly CodePart[]): CodePart[] {
  return parts.flatMap(({ kind, text }) =>
    splitAtHidden(text).map((part) => ({ kind: part.isHidden ? ('hidden' as const) : kind, text: part.text })),
  );
}
