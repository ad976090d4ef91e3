import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ExecutionFile } from '../../../../contract/executions/file.ts';
import { compareFile } from '../../../../server/modules/files/compare-file.ts';
import { diffRows, splitDiff } from '../../../../src/app/workspace/console/files/diff-rows.ts';
import { treeStep } from '../../../../src/app/workspace/console/files/tree-keys.ts';
import { searchFiles, treeRows } from '../../../../src/app/workspace/console/files/tree-rows.ts';
import { rowOffsets, rowWindow } from '../../../../src/app/workspace/lists/row-window.ts';

const file = (path: string) => ({ path, size: 1, hasPrevious: false }) as ExecutionFile;
const paths = ['src/orders/b.ts', 'src/orders/a.ts', 'README.md', 'src/orders/deep/only/x.ts', 'docs/a10.md', 'docs/a9.md'];
const open = new Set<string>();
const shown = (closed = open) => treeRows(paths.map(file), closed).map(({ name, level }) => `${'  '.repeat(level - 1)}${name}`);

describe('R42.01 the tree of files', () => {
  test('R42.01 the tree of files has folders before files, by name and number, and one line for a chain of folders', () => {
    expect(shown()).toEqual([...['docs', '  a9.md', '  a10.md', 'src/orders', '  deep/only', '    x.ts', '  a.ts', '  b.ts', 'README.md']]);
    expect(shown(new Set(['docs/', 'src/orders/']))).toEqual(['docs', 'src/orders', 'README.md']);
    expect(treeRows(paths.map(file), open).map(({ position, siblings }) => `${position}/${siblings}`)).toEqual([
      ...['1/3', '1/2', '2/2', '2/3', '1/3', '1/1', '2/3', '3/3', '3/3'],
    ]);
  });

  test('C6.04 a folder that is not loaded is a line with its number of files, and a part of a folder ends with a line that asks for more', () => {
    const unloaded = { folders: new Map([['src/orders/deep/', 300]]), more: new Set(['docs/']) };
    const rows = treeRows(['src/orders/a.ts', 'docs/a9.md'].map(file), open, unloaded);
    expect(rows.map((row) => [row.id, row.kind, row.kind === 'folder' ? row.count : null, row.level])).toEqual([
      ['docs/', 'folder', undefined, 1],
      ['docs/a9.md', 'file', null, 2],
      ['docs///', 'more', null, 2],
      ['src/orders/', 'folder', undefined, 1],
      ['src/orders/deep/', 'folder', 300, 2],
      ['src/orders/a.ts', 'file', null, 2],
    ]);
    expect(treeStep(rows, 'src/orders/deep/', 'ArrowRight')).toEqual({ toggle: 'src/orders/deep/' });
    expect(treeStep(rows, 'docs///', 'Enter')).toEqual({ choose: 'docs///' });
    expect(treeStep(rows, 'docs///', 'ArrowLeft')).toEqual({ to: 'docs/' });
    expect(treeStep(rows, 'docs///', 'ArrowRight')).toBeNull();
  });

  test('R42.01 the tree of files takes every path for a chain of names', () => {
    const rows = treeRows(['../../etc/passwd', '//a', '<img src=x>', '..'].map(file), open);
    expect(rows.flatMap((row) => (row.kind === 'file' ? row.file.path : [])).toSorted()).toEqual(
      ['../../etc/passwd', '..', '//a', '<img src=x>'].toSorted(),
    );
    expect(searchFiles(paths.map(file), ' ORDERS/a').map(({ path }) => path)).toEqual(['src/orders/a.ts']);
  });

  test('R42.01 the tree of files is walked by the keys of the ARIA tree pattern', () => {
    const rows = treeRows(paths.map(file), open);
    const closed = treeRows(paths.map(file), new Set(['src/orders/']));
    expect(treeStep(rows, 'docs/', 'ArrowDown')).toEqual({ to: 'docs/a9.md' });
    expect(treeStep(rows, 'docs/', 'ArrowUp')).toBeNull();
    expect(treeStep(rows, 'docs/', 'End')).toEqual({ to: 'README.md' });
    expect(treeStep(rows, 'README.md', 'Home')).toEqual({ to: 'docs/' });
    expect(treeStep(closed, 'src/orders/', 'ArrowRight')).toEqual({ toggle: 'src/orders/' });
    expect(treeStep(rows, 'src/orders/', 'ArrowRight')).toEqual({ to: 'src/orders/deep/only/' });
    expect(treeStep(rows, 'src/orders/', 'ArrowLeft')).toEqual({ toggle: 'src/orders/' });
    expect(treeStep(rows, 'src/orders/b.ts', 'ArrowLeft')).toEqual({ to: 'src/orders/' });
    expect(treeStep(rows, 'src/orders/b.ts', 'Enter')).toEqual({ choose: 'src/orders/b.ts' });
    expect(treeStep(rows, 'docs/', 'r')).toEqual({ to: 'README.md' });
    expect(treeStep(rows, null, 'ArrowDown')).toEqual({ to: 'docs/a9.md' });
    expect(treeStep([], null, 'Enter')).toBeNull();
  });
});

describe('R42.01 a file', () => {
  test('R42.01 a file is compared line by line with the numbers of both versions', () => {
    const { diff } = compareFile({ path: 'a.ts', before: 'one\ntwo\n--- three\n', after: 'one\n2\n--- three\n+++ four\n' }).diff ?? {
      diff: '',
    };
    expect(diffRows(diff)).toEqual([
      { kind: 'place', text: '@@ -1,3 +1,4 @@' },
      { kind: 'same', text: 'one', before: 1, after: 1 },
      { kind: 'removed', text: 'two', before: 2, after: null },
      { kind: 'added', text: '2', before: null, after: 2 },
      { kind: 'same', text: '--- three', before: 3, after: 3 },
      { kind: 'added', text: '+++ four', before: null, after: 4 },
    ]);
    expect(diffRows('')).toEqual([]);
  });

  test('R42.01 a pull request is taken apart into its files, with any lines', () => {
    const diffs = [
      compareFile({ path: 'a.ts', before: null, after: 'diff --git a/x b/x\n' }).diff,
      compareFile({ path: 'b.ts', before: 'one\n', after: 'two\n' }).diff,
    ].map((one) => one?.diff ?? '');
    expect(splitDiff(diffs.join(''))).toEqual(diffs);
    expect(splitDiff('')).toEqual([]);
  });
});

describe('W2.13 a long list', () => {
  test('W2.13 a long list draws the rows near the view, wherever it is scrolled to', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 10, max: 200 }), { minLength: 200, maxLength: 600 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (heights, share) => {
          const offsets = rowOffsets(heights.length, (index) => heights[index] as number);
          const total = offsets.at(-1) as number;
          const top = share * Math.max(0, total - 400);
          const { first, end, above, below } = rowWindow(offsets, top, 400, 300);
          const drawn = heights.slice(first, end).reduce((sum, height) => sum + height, 0);
          expect(above + drawn + below).toBeCloseTo(total);
          expect(above).toBeLessThanOrEqual(Math.max(0, top - 100));
          expect(total - below).toBeGreaterThanOrEqual(Math.min(total, top + 400));
          expect(drawn).toBeLessThanOrEqual(400 + 2 * 300 + 3 * 200);
        },
      ),
    );
    expect(
      rowWindow(
        rowOffsets(0, () => 10),
        0,
        400,
        100,
      ),
    ).toEqual({ first: 0, end: 0, above: 0, below: 0 });
    expect(
      rowWindow(
        rowOffsets(50, () => 10),
        300,
        100,
        0,
      ),
    ).toEqual({ first: 0, end: 50, above: 0, below: 0 });
  });
});
