import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldersOf, folderTree, lineOf, maxTreeBytes } from '../../../../server/modules/inputs/prompt-files/folder-tree.ts';
import { namedPaths } from '../../../../server/modules/inputs/prompt-files/named-paths.ts';
import { planPromptFiles, promptBudget, type RunFile } from '../../../../server/modules/inputs/prompt-files/plan-prompt-files.ts';

const file = (path: string, more: Partial<RunFile> = {}): RunFile => ({
  ...{ path, bytes: 100, textBytes: 100, isGit: true, sha256: path, ...more },
});
const many = (count: number, folder = 'lib') => Array.from({ length: count }, (_, at) => file(`${folder}/part-${at}/index.ts`));
const textsOf = (files: readonly RunFile[], task = 'Do it') => planPromptFiles(files, task).texts.map(({ path }) => path);

test('C3.08 each folder counts the files below it at any depth, and the root comes first', () => {
  expect(folderTree(foldersOf(['a.ts', 'src/b.ts', 'src/app/c.ts', 'docs/d.md']))).toEqual({
    folders: [
      { path: './', files: 4 },
      { path: 'docs/', files: 1 },
      { path: 'src/', files: 2 },
      { path: 'src/app/', files: 1 },
    ],
    left: 0,
  });
});

test('C3.08 a tree has 4 kB at most, and says how many folders it leaves out', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.stringMatching(/^[a-zа-я]{1,12}$/u), { minLength: 1, maxLength: 6 }), { maxLength: 500 }), (paths) => {
      const all = paths.map((parts) => parts.join('/'));
      const { folders, left } = folderTree(foldersOf(all));
      expect(folders.reduce((bytes, line) => bytes + Buffer.byteLength(lineOf(line)), 0)).toBeLessThanOrEqual(maxTreeBytes);
      expect(folders[0]?.files ?? 0).toBe(all.length);
      expect(left).toBeGreaterThanOrEqual(0);
    }),
  );
  const { folders, left } = folderTree(foldersOf(many(1_000).map(({ path }) => path)));
  expect([folders.slice(0, 2), folders.length + left]).toEqual([
    [
      { path: './', files: 1_000 },
      { path: 'lib/', files: 1_000 },
    ],
    1_002,
  ]);
});

test.each([
  ['Fix `src/app/main.ts:12`, please.', ['src/app/main.ts'], []],
  ['Fix app/main.ts.', ['src/app/main.ts'], []],
  ['В «main.ts» ошибка', ['src/app/main.ts'], []],
  ['Change MAIN.TS and Makefile', ['Makefile', 'src/app/main.ts'], []],
  ['a makefile for main', [], []],
  ['Everything in src/app/ and ./docs/', [], ['docs/', 'src/app/']],
  ['Look at util/index.ts', ['util/index.ts'], []],
  ['Look at index.ts', [], []],
  ['https://example.com/src/none.ts', [], []],
])('C3.09 the files and folders that a task names are found: %s', (task, files, folders) => {
  const paths = ['Makefile', 'docs/a.md', 'src/app/main.ts', 'util/index.ts', ...many(6).map(({ path }) => path)];
  expect(namedPaths(task, paths)).toEqual({ files, folders });
});

test('C3.09 a task of a megabyte is searched for fifty thousand paths in a single pass', () => {
  const paths = many(50_000).map(({ path }) => path);
  expect(namedPaths(`lib/part-49999/index.ts ${'word.ts '.repeat(130_000)}`, paths).files).toEqual(['lib/part-49999/index.ts']);
});

test('C3.10 a prompt shows the repository files that the task names, and the repository’s instructions to its developers', () => {
  const files = [
    ...many(300),
    file('AGENTS.md'),
    file('CLAUDE.md', { sha256: 'AGENTS.md' }),
    file('readme.md'),
    file('lib/part-7/README.md'),
  ];
  const plan = planPromptFiles(files, 'Change lib/part-7/index.ts and all in lib/part-7/');
  expect(plan.listed).toEqual([]);
  expect(plan.tree?.folders[0]).toEqual({ path: './', files: 304 });
  expect(plan.named).toEqual(['lib/part-7/index.ts']);
  expect(plan.texts.map(({ path }) => path)).toEqual(['AGENTS.md', 'readme.md', 'lib/part-7/README.md', 'lib/part-7/index.ts']);
});

test('C3.10 a guide is shown up to 8 kB, and a named file that is long or not text is named without its content', () => {
  const files = [file('README.md', { textBytes: 60_000 }), file('a.ts', { textBytes: 300_000 }), file('b.png', { textBytes: null })];
  expect(planPromptFiles(files, 'a.ts b.png')).toMatchObject({
    named: ['a.ts', 'b.png'],
    texts: [{ path: 'README.md', most: promptBudget.shownBytes }],
  });
});

test('C3.10 a small repository is listed whole, without its texts', () => {
  const files = [file('index.js'), file('package.json'), file('readme.md')];
  expect(planPromptFiles(files, 'Do it')).toMatchObject({ listed: ['index.js', 'package.json', 'readme.md'], tree: null });
  expect(textsOf(files)).toEqual(['readme.md']);
});

test('G3.14 few files of a user are shown as they are, beside a repository too', () => {
  const given = [
    file('a.txt', { isGit: false }),
    file('b.txt', { isGit: false, textBytes: 20_000 }),
    file('c.png', { isGit: false, textBytes: null }),
  ];
  expect(planPromptFiles(given, 'Do it')).toEqual({
    listed: ['a.txt', 'b.txt', 'c.png'],
    tree: null,
    named: [],
    texts: [{ path: 'a.txt', most: 100 }],
  });
  const beside = planPromptFiles([...given, ...many(300)], 'Do it');
  expect([beside.listed, beside.tree?.folders[0]?.files]).toEqual([['a.txt', 'b.txt', 'c.png'], 300]);
});

test('C3.10 an archive of many files is shown as a repository is', () => {
  const files = many(300).map((one) => ({ ...one, isGit: false }));
  expect(planPromptFiles(files, 'lib/part-3/index.ts')).toMatchObject({ listed: [], named: ['lib/part-3/index.ts'] });
});
