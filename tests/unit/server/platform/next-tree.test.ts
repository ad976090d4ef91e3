import { expect, test } from 'vitest';
import { pushedFilesOf } from '../../../../server/modules/publishing/pushed-files.ts';
import type { BranchCommit } from '../../../../server/platform/git/branch-history.ts';
import { changeTree } from '../../../../server/platform/git/change-tree.ts';
import type { FileChange, PushedFiles } from '../../../../server/platform/git/git-messages.ts';
import { treeOf } from '../../../../server/platform/git/merge/next-tree.ts';
import { TreeFiles } from '../../../../server/platform/git/merge/tree-files.ts';
import { ObjectStore } from '../../../../server/platform/git/packs/object-store.ts';
import { isExecutable } from '../../../../server/platform/git/tree-entries.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const change = (path: string, before: string | null, after: string | null): FileChange => ({
  path,
  before: before === null ? null : bytes(before),
  after: after === null ? null : bytes(after),
});

/** Files of a tree as texts; an executable one ends in `*`. */
type Files = Record<string, string>;
/** Commits of a branch, the oldest first: each adds to the files of the one before, and null removes one. */
type Commits = { by: 'run' | 'other'; files: Record<string, string | null> }[];

/** Makes the next tree of a run on a branch that began with `base`. Returns its files, or the paths that conflict. */
async function nextOf(base: Files, commits: Commits, files: FileChange[], pushed: PushedFiles | null = null): Promise<Files | string[]> {
  const objects = new ObjectStore();
  const toChange = ([path, text]: [string, string | null]): FileChange => ({
    ...change(path, null, text === null ? null : text.replace(/\*$/, '')),
    isExecutable: text?.endsWith('*') ?? false,
  });
  const made: BranchCommit[] = [];
  const add = (from: string | null, about: Record<string, string | null>, run: string | null) => {
    const { oid: tree } = changeTree(objects, from, Object.entries(about).map(toChange), true);
    made.unshift({ oid: String(made.length), tree, run, parents: made.length === 0 ? [] : [String(made.length - 1)] });
  };
  add(null, base, null);
  for (const { by, files: about } of commits) add(made[0]?.tree ?? null, about, by === 'run' ? 'run' : null);
  const last = made.find(({ run }) => run === 'run')?.oid ?? null;
  const task = {
    ...{ ref: null, run: 'run', head: last, isSame: false, pushed },
    commit: { files, branch: 'artel', message: '', seconds: 0 },
    follows: { heads: [], runs: [], replaced: [], isOpen: true },
  };
  const { oid, conflicts } = await treeOf(objects, made, last, task, async () => null);
  if (conflicts.length > 0) return conflicts.map(({ path, reason }) => `${path} ${reason}`);
  const tree = new TreeFiles(objects, oid);
  const listed: Files = {};
  for (const { path } of tree.list().files) {
    const entry = tree.file(path);
    if (entry) listed[path] = `${tree.content(entry)}${isExecutable(entry) ? '*' : ''}`;
  }
  return listed;
}

const base = { 'a.txt': 'a\nb\nc\nd\ne\n' };
const review: Commits[number] = { by: 'other', files: { 'review.txt': 'r\n' } };

test('C7.02 a change that a run undoes after its commit leaves the branch, also beside commits of others', async () => {
  const commits: Commits = [
    { by: 'run', files: { 'a.txt': 'a\nX\nb\nc\nd\ne\n' } },
    { by: 'other', files: { 'a.txt': 'a\nX\nb\nc\nd\nE\n' } },
  ];
  const next = [change('a.txt', base['a.txt'], 'A\nb\nc\nd\ne\n')];
  expect(await nextOf(base, commits, next)).toEqual({ 'a.txt': 'A\nb\nc\nd\nE\n' });
  expect(await nextOf(base, commits, [change('a.txt', base['a.txt'], base['a.txt'])])).toEqual({ 'a.txt': 'a\nb\nc\nd\nE\n' });
});

test('C7.02 a file that a run pushed and removed leaves the branch if others kept it unchanged, and is a conflict if others changed it', async () => {
  const made = { by: 'run', files: { 'made.txt': 'made\n' } } as const;
  const undone = [change('made.txt', null, null)];
  expect(await nextOf(base, [made, review], undone)).toEqual({ ...base, 'review.txt': 'r\n' });
  const theirs: Commits = [made, { by: 'other', files: { 'made.txt': 'made by two\n' } }];
  expect(await nextOf(base, theirs, undone)).toEqual(['made.txt changed']);
  // A second commit of the run holds their lines as well: they are not the run's to remove.
  const pushed = pushedFilesOf([change('made.txt', null, 'made\n')]);
  expect(await nextOf(base, [...theirs, { by: 'run', files: { 'more.txt': 'm\n' } }], undone, pushed)).toEqual(['made.txt changed']);
  expect(await nextOf(base, [made, { by: 'other', files: { 'made.txt': null } }], undone)).toEqual(base);
});

test('C7.02 a file that a user has given leaves the branch again, and a mode that a run takes back is taken back', async () => {
  const given = { ...change('given.txt', 'given\n', null), isUploaded: true };
  expect(await nextOf(base, [{ by: 'run', files: { 'given.txt': 'given 2\n' } }, review], [given])).toEqual({
    ...base,
    'review.txt': 'r\n',
  });
  const back = { ...change('a.txt', base['a.txt'], base['a.txt']), wasExecutable: false, isExecutable: false };
  expect(await nextOf(base, [{ by: 'run', files: { 'a.txt': `${base['a.txt']}*` } }, review], [back])).toEqual({
    ...base,
    'review.txt': 'r\n',
  });
});

test('C7.02 lines of others stay in a file that the run pushes a third time, or are named where they cannot be told apart', async () => {
  const own = { 'a.txt': 'A\nb\nc\nd\ne\n' };
  const commits: Commits = [
    { by: 'run', files: own },
    { by: 'other', files: { 'a.txt': 'A\nb\nc\nd\nE\n' } },
    { by: 'run', files: { 'more.txt': 'm\n' } },
  ];
  const pushed = pushedFilesOf([change('a.txt', base['a.txt'], own['a.txt']), change('more.txt', null, 'm\n')]);
  const kept = [change('a.txt', base['a.txt'], own['a.txt']), change('more.txt', null, 'more\n')];
  expect(await nextOf(base, commits, kept, pushed)).toEqual({ 'a.txt': 'A\nb\nc\nd\nE\n', 'more.txt': 'more\n' });
  const again = [change('a.txt', base['a.txt'], 'AA\nb\nc\nd\ne\n')];
  expect(await nextOf(base, commits, again, pushed)).toEqual({ 'a.txt': 'AA\nb\nc\nd\nE\n', 'more.txt': 'm\n' });
  // The run's second text was merged at once: no commit has it.
  const merged: Commits = [...commits.slice(0, 2), { by: 'run', files: { 'a.txt': 'A2\nb\nc\nd\nE\n' } }];
  const second = pushedFilesOf([change('a.txt', base['a.txt'], 'A2\nb\nc\nd\ne\n')]);
  expect(await nextOf(base, merged, [change('a.txt', base['a.txt'], base['a.txt'])], second)).toEqual(['a.txt changed']);
  expect(await nextOf(base, merged, [change('a.txt', base['a.txt'], 'A3\nb\nc\nd\ne\n')], second)).toEqual(['a.txt lines']);
});

test('C7.02 a new file with the name of a property of JavaScript objects goes with the commit', async () => {
  const commits: Commits = [{ by: 'run', files: { 'more.txt': 'm\n' } }, review];
  const files = [change('more.txt', null, 'm\n'), change('constructor', null, 'c\n')];
  const pushed = pushedFilesOf([change('more.txt', null, 'm\n')]);
  expect(await nextOf(base, commits, files, pushed)).toMatchObject({ constructor: 'c\n' });
});
