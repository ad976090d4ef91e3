import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { mergeText } from '../../../../server/platform/git/merge/merge-text.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const merge = (before: string, ours: string, theirs: string) => {
  const { content, conflicts } = mergeText(bytes(before), bytes(ours), bytes(theirs));
  return content === null ? conflicts : Buffer.from(content).toString('latin1');
};
const folder = mkdtempSync(join(tmpdir(), 'artel-merge-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns what Git makes of three versions; null for a conflict. */
function gitMerge(before: string, ours: string, theirs: string): string | null {
  const paths = { ours, before, theirs };
  for (const [name, text] of Object.entries(paths)) writeFileSync(join(folder, name), bytes(text));
  try {
    return execFileSync('git', ['merge-file', '-p', 'ours', 'before', 'theirs'], { cwd: folder, encoding: 'latin1', stdio: 'pipe' });
  } catch (error) {
    const { status } = error as { status: number };
    if (status > 0 && status < 128) return null;
    throw error;
  }
}

test('C7.02 changes of different lines are merged, and the same change of both stays once', () => {
  const before = 'a\nb\nc\nd\ne\n';
  expect(merge(before, 'A\nb\nc\nd\ne\n', 'a\nb\nc\nd\nE\nf\n')).toBe('A\nb\nc\nd\nE\nf\n');
  expect(merge(before, 'a\nX\nc\nd\ne\n', 'a\nX\nc\nd\n')).toBe('a\nX\nc\nd\n');
  expect(merge('', '', 'new\n')).toBe('new\n');
});

test('C7.02 only the lines that conflict are listed, with their number and both versions in short', () => {
  const conflicts = merge('a\nb\nc\nd\n', 'a\nours\nc\nD\n', 'a\ntheirs\nc\nd\n');
  expect(conflicts).toEqual([{ line: 2, ours: 'ours', theirs: 'theirs' }]);
  const long = merge('a\n', 'x\n'.repeat(9), `${'y'.repeat(500)}\n`);
  expect(long).toEqual([{ line: 1, ours: 'x\nx\nx\n…', theirs: 'y'.repeat(120) }]);
});

test('C7.02 encodings, both kinds of line ends and a missing last one keep their bytes', () => {
  const before = 'caf\xe9\r\nb\nc\r\nd';
  expect(merge(before, 'caf\xe9!\r\nb\nc\r\nd', 'caf\xe9\r\nb\nc\r\nd\xff')).toBe('caf\xe9!\r\nb\nc\r\nd\xff');
  expect(merge('a\n', 'a\r\n', 'a\n')).toBe('a\r\n');
  expect(merge('a\n', 'b\n', 'a')).toHaveLength(1);
});

test('C7.02 a file that is not text is never merged', () => {
  expect(merge('a\0\n1\n2\n', 'b\0\n1\n2\n', 'a\0\n1\n3\n')).toEqual([]);
});

const lines = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', '}\n', '\n'), { maxLength: 30 }).map((all) => all.join(''));

test('C7.02 a side that changed nothing gives way, and equal sides stay as they are', () => {
  fc.assert(
    fc.property(lines, lines, (before, ours) => {
      expect(merge(before, ours, before)).toBe(ours);
      expect(merge(before, before, ours)).toBe(ours);
      expect(merge(before, ours, ours)).toBe(ours);
    }),
  );
});

/** Texts of numbered lines with an edit here and there, of two sides. */
const edits = fc.array(
  fc.record({ at: fc.nat(39), kind: fc.constantFrom('change', 'remove', 'add'), text: fc.constantFrom('x', 'y', 'z') }),
  {
    maxLength: 6,
  },
);
function edited(base: readonly string[], all: readonly { at: number; kind: string; text: string }[]): string {
  const out = [...base];
  for (const { at, kind, text } of all) {
    const there = out[at] ?? '';
    if (kind === 'change') out[at] = `${text}\n`;
    else if (kind === 'remove') out[at] = '';
    else out[at] = `${there}${text} ${at}\n`;
  }
  return out.join('');
}

test('C7.02 the result is the one of Git, and so is whether there is a conflict', () => {
  const base = Array.from({ length: 40 }, (_, at) => `line ${at}\n`);
  fc.assert(
    fc.property(edits, edits, (ours, theirs) => {
      const [mine, yours] = [edited(base, ours), edited(base, theirs)];
      const merged = merge(base.join(''), mine, yours);
      expect(typeof merged === 'string' ? merged : null).toBe(gitMerge(base.join(''), mine, yours));
    }),
    { numRuns: 60, seed: 7 },
  );
});

test('C7.02 a million equal lines and texts without a common line end in bounded work', () => {
  const many = 'x\n'.repeat(1_000_000);
  expect(merge(many, `y\n${many}`, `${many}z\n`)).toBe(`y\n${many}z\n`);
  const mixed = 'x\ny\n'.repeat(500_000);
  expect(merge(many, mixed, `x\nz\n${many}`)).toHaveLength(1);
  const rewritten = Array.from({ length: 50_000 }, (_, at) => `new ${at % 7} ${at % 3}\n`).join('');
  const numbered = Array.from({ length: 50_000 }, (_, at) => `line ${at}\n`);
  expect(merge(numbered.join(''), rewritten, numbered.join(''))).toBe(rewritten);
});

test('C7.02 a long text with thousands of changes is still merged between lines that are there once', () => {
  const base = Array.from({ length: 20_000 }, (_, at) => `line ${at}\n`);
  const ours = base.map((line, at) => (at % 4 === 0 ? `ours ${at}\n` : line));
  const theirs = base.map((line, at) => (at % 4 === 2 ? `theirs ${at}\n` : line));
  const both = base.map((line, at) => (at % 4 === 0 ? ours[at] : at % 4 === 2 ? theirs[at] : line));
  expect(merge(base.join(''), ours.join(''), theirs.join(''))).toBe(both.join(''));
});
