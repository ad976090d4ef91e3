import { diffArrays } from 'diff';

/** The end of a line: empty for a last line that has none. */
type LineEnd = '\r\n' | '\n' | '';
type Line = { text: string; end: LineEnd };

/** The most differing lines that are searched for; past them a text counts as rewritten. */
const maxEdits = 400;
/** The most lines of a text between its first and its last difference that are compared. */
const maxLines = 20_000;

/**
 * Gives a later version of a text, whose lines end in a line feed, the line ends of the earlier one. Lines that stay keep their own ends, a changed line
 * that of the line in its place, and a new line that of the line before it.
 */
export function alignLineEnds(before: string, after: string): string {
  const old = linesOf(before);
  const now = linesOf(after.replaceAll('\r\n', '\n'));
  const usual = usualEnd(old);
  const ends = endsFor(old, now);
  let previous: LineEnd = '';
  const parts: string[] = [];
  for (const [at, { text, end }] of now.entries()) {
    const kept: LineEnd = end === '' ? '' : ends[at] || previous || nextEnd(ends, at) || usual;
    if (kept !== '') previous = kept;
    parts.push(text, kept);
  }
  return parts.join('');
}

/** Returns a later version of a text with line feeds, or with the ends of the earlier one where both kinds are mixed in it. */
export function keepMixedLineEnds(before: string | null, after: string): string {
  const plain = after.replaceAll('\r\n', '\n');
  return before?.includes('\r\n') && /(?<!\r)\n/.test(before) ? alignLineEnds(before, plain) : plain;
}

/** Returns the end of the earlier line that each line is, or that it has taken the place of. */
function endsFor(old: readonly Line[], now: readonly Line[]): (LineEnd | undefined)[] {
  const ends: (LineEnd | undefined)[] = [];
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head]?.text === now[head]?.text) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail)?.text === now.at(-1 - tail)?.text) tail += 1;
  for (let at = 0; at < head; at += 1) ends[at] = old[at]?.end;
  for (let at = 1; at <= tail; at += 1) ends[now.length - at] = old[old.length - at]?.end;
  const between = (lines: readonly Line[]) => lines.slice(head, lines.length - tail);
  alignBetween(between(old), between(now), (at, end) => {
    ends[head + at] = end;
  });
  return ends;
}

function alignBetween(old: readonly Line[], now: readonly Line[], keep: (at: number, end: LineEnd | undefined) => void): void {
  const texts = (lines: readonly Line[]) => lines.map(({ text }) => text);
  const isLong = Math.max(old.length, now.length) > maxLines;
  const parts = isLong ? undefined : diffArrays(texts(old), texts(now), { maxEditLength: maxEdits });
  if (!parts) {
    for (let at = 0; at < Math.min(old.length, now.length); at += 1) keep(at, old[at]?.end);
    return;
  }
  let [from, to, replaced] = [0, 0, 0];
  for (const { added, removed, count = 0 } of parts) {
    if (removed) {
      replaced = count;
      from += count;
      continue;
    }
    const taken = added ? Math.min(count, replaced) : count;
    const first = added ? from - replaced : from;
    for (let at = 0; at < taken; at += 1) keep(to + at, old[first + at]?.end);
    to += count;
    if (!added) from += count;
    replaced = 0;
  }
}

function nextEnd(ends: readonly (LineEnd | undefined)[], at: number): LineEnd | undefined {
  return ends.slice(at + 1, at + 50).find((end) => end !== undefined && end !== '');
}

function usualEnd(lines: readonly Line[]): '\r\n' | '\n' {
  const wide = lines.filter(({ end }) => end === '\r\n').length;
  return wide > 0 && wide >= lines.filter(({ end }) => end === '\n').length ? '\r\n' : '\n';
}

function linesOf(text: string): Line[] {
  return text.split('\n').map((line, at, all): Line => {
    if (at === all.length - 1) return { text: line, end: '' };
    return line.endsWith('\r') ? { text: line.slice(0, -1), end: '\r\n' } : { text: line, end: '\n' };
  });
}
