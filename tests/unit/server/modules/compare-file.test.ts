import { applyPatch, parsePatch } from 'diff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareFile, maxEdits } from '../../../../server/modules/files/compare-file.ts';

const fileDiff = (path: string, before: string | null, after: string) => compareFile({ path, before, after }).diff;

test('R42.01 a new file is all additions', () => {
  expect(fileDiff('src/a.ts', null, 'one\ntwo\n')).toEqual({
    path: 'src/a.ts',
    change: 'added',
    ...{ from: null, similarity: null, executable: null, isBinary: false },
    additions: 2,
    deletions: 0,
    diff: [
      'diff --git a/src/a.ts b/src/a.ts',
      'new file mode 100644',
      '--- /dev/null',
      '+++ b/src/a.ts',
      '@@ -0,0 +1,2 @@',
      '+one',
      '+two',
      '',
    ].join('\n'),
  });
});

test('R42.01 a changed file shows its changes with three lines around them', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
  const text = (all: string[]) => `${all.join('\n')}\n`;
  const found = fileDiff('a.txt', text(lines), text(lines.with(10, 'other')));
  expect(found).toMatchObject({ change: 'changed', additions: 1, deletions: 1 });
  expect(found?.diff).toBe(
    [
      'diff --git a/a.txt b/a.txt',
      ...['--- a/a.txt', '+++ b/a.txt', '@@ -8,7 +8,7 @@'],
      ...[' line 7', ' line 8', ' line 9', '-line 10', '+other', ' line 11', ' line 12', ' line 13', ''],
    ].join('\n'),
  );
});

test('R42.01 equal files have no differences, and a new empty file only exists', () => {
  expect(fileDiff('a.txt', 'x\n', 'x\n')).toBeNull();
  expect(fileDiff('a.txt', '', '')).toBeNull();
  expect(fileDiff('a.txt', null, '')).toMatchObject({
    change: 'added',
    additions: 0,
    diff: 'diff --git a/a.txt b/a.txt\nnew file mode 100644\n',
  });
});

test('R42.01 a name with a space ends in a tab, as git writes it', () => {
  expect(fileDiff('a b.txt', 'x\n', 'y\n')?.diff).toContain('\n--- a/a b.txt\t\n+++ b/a b.txt\t\n@@');
});

test('R42.01 a diff turns the old text into the new one', () => {
  const line = fc.constantFrom('', 'a', 'b', '-- c', '++ d', ' e', '@@ -1 +1 @@', '\\ No newline');
  const text = fc.array(line, { maxLength: 30 }).map((lines) => lines.map((each) => `${each}\n`).join(''));
  fc.assert(
    fc.property(fc.option(text), text, (before, after) => {
      const found = fileDiff('a b.txt', before, after);
      if (found === null) {
        expect(before).toBe(after);
        return;
      }
      expect(parsePatch(found.diff)).toHaveLength(1);
      expect(applyPatch(before ?? '', found.diff)).toBe(after);
    }),
  );
});

test('R42.01 a file in which all lines are others is shown as written anew, without a long comparison', () => {
  const text = (word: string) => Array.from({ length: 5_000 }, (_, index) => `${word} ${index}\n`).join('');
  const found = fileDiff('a.txt', text('old'), text('new'));
  expect(found).toMatchObject({ additions: 5_000, deletions: 5_000 });
  expect(applyPatch(text('old'), found?.diff ?? '')).toBe(text('new'));
});

test('R42.01 a file of very many lines is shown as written anew, without a comparison', () => {
  const text = (last: string) => `${'\n'.repeat(100_000)}${last}\n`;
  const { diff, edits } = compareFile({ path: 'a.txt', before: text('old'), after: text('new') });
  expect([diff?.additions, diff?.deletions, edits]).toEqual([100_001, 100_001, 0]);
});

test('R42.01 a comparison reports how many lines it looked for, and stops at the limit', () => {
  const text = (word: string) => Array.from({ length: 300 }, (_, index) => (index % 3 === 0 ? `${word}\n` : 'same\n')).join('');
  const versions = { path: 'a.txt', before: text('old'), after: text('new') };
  expect(compareFile(versions)).toMatchObject({ diff: { additions: 100, deletions: 100 }, edits: 200 });
  expect(compareFile(versions, { limit: 199 })).toMatchObject({ diff: { additions: 300, deletions: 300 }, edits: 199 });
  expect(compareFile({ ...versions, before: null })).toMatchObject({ diff: { additions: 300, deletions: 0 }, edits: 0 });
  expect(compareFile({ ...versions, after: versions.before })).toEqual({ diff: null, edits: 0 });
  expect(maxEdits).toBeGreaterThan(200);
});
