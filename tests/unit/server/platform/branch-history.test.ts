import { expect, test } from 'vitest';
import { type BranchCommit, treeOf } from '../../../../server/platform/git/branch-history.ts';
import { changeTree } from '../../../../server/platform/git/change-tree.ts';
import type { FileChange } from '../../../../server/platform/git/git-messages.ts';
import { ObjectStore } from '../../../../server/platform/git/packs/object-store.ts';
import { blobFinder } from '../../../../server/platform/git/tree-entries.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const change = (path: string, before: string | null, after: string | null): FileChange => ({
  path,
  before: before === null ? null : bytes(before),
  after: after === null ? null : bytes(after),
});

test('C7.02 what a run takes back after its commit leaves the branch, also beside commits of others', async () => {
  const objects = new ObjectStore();
  const treeWith = (tree: string | null, ...files: FileChange[]) => changeTree(objects, tree, files, false).oid;
  const base = treeWith(null, change('a.txt', null, 'a\nb\nc\nd\ne\n'));
  const first = treeWith(base, change('a.txt', 'a\nb\nc\nd\ne\n', 'a\nX\nb\nc\nd\ne\n'));
  const others = treeWith(first, change('a.txt', 'a\nX\nb\nc\nd\ne\n', 'a\nX\nb\nc\nd\nE\n'));
  const commit = (oid: string, tree: string, run: string | null, parents: string[]): BranchCommit => ({ oid, tree, run, parents });
  const history = [commit('3', others, null, ['2']), commit('2', first, 'run', ['1']), commit('1', base, null, [])];
  const task = {
    ...{ ref: null, run: 'run', head: '2', isSame: false },
    commit: { files: [change('a.txt', 'a\nb\nc\nd\ne\n', 'A\nb\nc\nd\ne\n')], branch: 'artel', message: '', seconds: 0 },
    follows: { heads: [], runs: [], replaced: [], isOpen: true },
  };
  const after = await treeOf(objects, history, '2', task);
  expect(after.conflicts).toEqual([]);
  const blob = blobFinder(objects)(after.oid, 'a.txt') ?? '';
  expect(objects.read(blob, 'blob')?.toString()).toBe('A\nb\nc\nd\nE\n');
});
