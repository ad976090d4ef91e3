import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createEgress } from '../../../server/platform/egress/egress.ts';
import { blobName } from '../../../server/platform/git/blob-name.ts';
import { createGitCommits } from '../../../server/platform/git/git-commits.ts';
import type { FileChange, GitLimits } from '../../../server/platform/git/git-messages.ts';
import { sampleOf } from '../../support/amounts.ts';
import { startGitServer } from '../../support/services/git-server.ts';
import { setUp } from '../../support/set-up/for-vitest.ts';

const limits: GitLimits = { bytes: 1024 * 1024, files: 20, fileBytes: 100_000 };
const commits = createGitCommits(createEgress({ allowPrivate: true, proxies: null }));
const run = '01a1fab3-094b-73bf-a485-a91fccff0c5d';
const bytes = (text: string) => new TextEncoder().encode(text);
const change = (path: string, before: string | null, after: string): FileChange => ({
  ...{ path, before: before === null ? null : bytes(before), after: bytes(after) },
});
const bread = 'export const bread = 1;\n';

const git = setUp(startGitServer, ({ close }) => close());

/** A repository with a folder, a program and a file. Returns the commit of its main branch. */
async function makeRepository(name: string): Promise<string> {
  await git.git(name, 'status');
  await mkdir(join(git.folderOf(name), 'src'));
  await writeFile(join(git.folderOf(name), 'src', 'bake.ts'), bread);
  await writeFile(join(git.folderOf(name), 'bake.sh'), '#!/bin/sh\n');
  await chmod(join(git.folderOf(name), 'bake.sh'), 0o755);
  await writeFile(join(git.folderOf(name), 'README.md'), '# Bakery\n');
  await git.git(name, 'add', '.');
  await git.git(name, 'commit', '-qm', 'Begin');
  await git.publish(name);
  return git.git(name, 'rev-parse', 'HEAD');
}

const commitOf = (files: FileChange[], branch = 'artel/bread-1') => ({
  ...{ files, branch, seconds: 1_790_000_000, message: `Bake bread\n\nArtel-Run: ${run}\n` },
});
const pushTo = (name: string, files: FileChange[], head: string | null = null, ref: string | null = 'main') =>
  commits.push({ url: git.urlOf(name), token: 'secret-token', ref, commit: commitOf(files), run, head, limits });
const fetched = async (name: string, ...args: string[]) => {
  await git.git(name, 'fetch', '-q', git.urlOf(name), '+refs/heads/*:refs/remotes/origin/*');
  return git.git(name, ...args);
};

test('G3.21 a run becomes one commit on the base: modes, other files and folders stay, and the branch is new', async () => {
  const base = await makeRepository('one');
  const files = [change('src/bake.ts', bread, 'export const bread = 2;\n'), change('bake.sh', '#!/bin/sh\n', '#!/bin/sh\necho bread\n')];
  const pushed = await pushTo('one', [...files, change('docs/deep/how.md', null, 'Bake.\n')]);
  expect(pushed.base).toBe(base);
  expect(await fetched('one', 'rev-parse', 'origin/artel/bread-1', 'origin/artel/bread-1^')).toBe(`${pushed.sha}\n${base}`);
  const listed = await git.git('one', 'diff', '--raw', '--abbrev=4', base, pushed.sha);
  expect(listed.split('\n').map((line) => line.replace(/ [0-9a-f]{4} [0-9a-f]{4}/, ''))).toEqual([
    ':100755 100755 M\tbake.sh',
    ':000000 100644 A\tdocs/deep/how.md',
    ':100644 100644 M\tsrc/bake.ts',
  ]);
  expect(await git.git('one', 'show', `${pushed.sha}:docs/deep/how.md`)).toBe('Bake.');
  expect(await git.git('one', 'log', '-1', '--format=%an %(trailers:key=Artel-Run,valueonly)', pushed.sha)).toContain(`Artel ${run}`);
  expect(await git.git('one', 'fsck', '--strict')).toBe('');
});

test('C2.03 removed, moved and executable files go with the commit, and an empty folder goes with its last file', async () => {
  const base = await makeRepository('removed');
  const removed = (path: string, before: string | null): FileChange => ({
    path,
    before: before === null ? null : bytes(before),
    after: null,
  });
  const files: FileChange[] = [
    removed('src/bake.ts', bread),
    { ...change('lib/oven/bake.ts', null, bread), isExecutable: true },
    { ...change('README.md', '# Bakery\n', '# Bakery\n'), isExecutable: true },
    { ...change('bake.sh', '#!/bin/sh\n', '#!/bin/sh\necho\n'), wasExecutable: true, isExecutable: false },
    removed('made-and-gone.ts', null),
  ];
  const { sha } = await pushTo('removed', files);
  await fetched('removed', 'status');
  expect(await git.git('removed', 'diff', '--summary', '-M', base, sha)).toBe(
    [
      'mode change 100644 => 100755 README.md',
      ' mode change 100755 => 100644 bake.sh',
      ' rename {src => lib/oven}/bake.ts (100%)',
      ' mode change 100644 => 100755',
    ].join('\n'),
  );
  expect(await git.git('removed', 'ls-tree', '-r', '--name-only', sha)).toBe('README.md\nbake.sh\nlib/oven/bake.ts');
  // On its own branch a run takes away what it had pushed; a file takes the place of a folder, and a folder that of a file.
  const again = await pushTo(
    'removed',
    [
      ...files,
      removed('bake.sh', '#!/bin/sh\n'),
      change('bake.sh/how.md', null, 'a'),
      removed('lib/oven/bake.ts', null),
      change('lib', null, 'b'),
    ].filter(({ path, after }) => !(after && ['bake.sh', 'lib/oven/bake.ts'].includes(path))),
    sha,
  );
  await fetched('removed', 'status');
  expect(await git.git('removed', 'ls-tree', '-r', '--name-only', again.sha)).toBe('README.md\nbake.sh/how.md\nlib');
  expect(await git.git('removed', 'fsck', '--strict')).toBe('');
});

test('C2.03 a file that the repository has changed meanwhile is not removed, and its mode alone changes beside its new text', async () => {
  await makeRepository('removed-moved');
  await writeFile(join(git.folderOf('removed-moved'), 'README.md'), '# Our bakery\n');
  await git.git('removed-moved', 'commit', '-qam', 'Ours');
  await git.publish('removed-moved');
  const mode = { ...change('README.md', '# Bakery\n', '# Bakery\n'), isExecutable: true };
  const { sha } = await pushTo('removed-moved', [mode, { ...change('src/bake.ts', bread, ''), after: null }]);
  expect(await fetched('removed-moved', 'show', `${sha}:README.md`)).toBe('# Our bakery');
  expect(await git.git('removed-moved', 'ls-tree', '-r', sha)).toMatch(/^100755 blob \w+\tREADME.md\n100755 blob \w+\tbake.sh$/);
  const gone = { ...change('README.md', '# Bakery\n', ''), after: null };
  const other = commits.push({
    ...{ url: git.urlOf('removed-moved'), token: 'secret-token', ref: 'main', run, head: null, limits },
    commit: commitOf([gone], 'artel/other-1'),
  });
  await expect(other).rejects.toMatchObject({ reason: 'base_moved', details: { files: ['README.md'] } });
});

test('G3.22 a repeated push makes the same commit, also when the response was lost; changed files follow on the same branch', async () => {
  const base = await makeRepository('again');
  const files = [change('src/bake.ts', bread, 'export const bread = 2;\n')];
  const { sha } = await pushTo('again', files);
  expect(await pushTo('again', files, sha)).toEqual({ sha, base: null, renamed: [] });
  expect(await pushTo('again', files, null)).toEqual({ sha, base, renamed: [] });
  const more = await pushTo('again', [change('src/bake.ts', bread, 'export const bread = 3;\n')], sha);
  expect(await fetched('again', 'rev-parse', 'origin/artel/bread-1', 'origin/artel/bread-1^')).toBe(`${more.sha}\n${sha}`);
  // The second push was not noted: its commit names the run and follows the noted one.
  expect(await pushTo('again', [change('src/bake.ts', bread, 'export const bread = 3;\n')], sha)).toEqual({
    sha: more.sha,
    base: null,
    renamed: [],
  });
});

test('G3.22 a branch that another person has pushed to is left alone, with both commits named', async () => {
  await makeRepository('other');
  const { sha } = await pushTo('other', [change('src/bake.ts', bread, 'export const bread = 2;\n')]);
  await fetched('other', 'checkout', '-qb', 'artel/bread-1', 'origin/artel/bread-1');
  await git.git('other', 'commit', '-q', '--amend', '--allow-empty', '-m', `Mine\n\nArtel-Run: ${run}`);
  await git.git('other', 'commit', '-q', '--allow-empty', '-m', 'Mine too');
  const theirs = await git.git('other', 'rev-parse', 'HEAD');
  await git.git('other', 'push', '-qf', git.urlOf('other'), 'artel/bread-1');
  const again = pushTo('other', [change('src/bake.ts', bread, 'export const bread = 3;\n')], sha);
  await expect(again).rejects.toMatchObject({ reason: 'branch_moved', details: { ours: sha, theirs } });
  expect(await fetched('other', 'rev-parse', 'origin/artel/bread-1')).toBe(theirs);
  // A commit that keeps the line of the run but does not follow its last commit is not the run's.
  await git.git('other', 'commit', '-q', '--allow-empty', '-m', `Mine\n\nArtel-Run: ${run}`);
  await git.git('other', 'push', '-q', git.urlOf('other'), 'artel/bread-1');
  await expect(pushTo('other', [change('a.md', null, 'a')], sha)).rejects.toMatchObject({ reason: 'branch_moved' });
});

test('G3.22 a branch with commits of others after a push whose response was lost is left unchanged, and both commits are named', async () => {
  await makeRepository('lost');
  const { sha } = await pushTo('lost', [change('src/bake.ts', bread, 'export const bread = 2;\n')]);
  await fetched('lost', 'checkout', '-qb', 'artel/bread-1', 'origin/artel/bread-1');
  for (const message of ['Mine', 'Mine too']) await git.git('lost', 'commit', '-q', '--allow-empty', '-m', message);
  await git.git('lost', 'push', '-q', git.urlOf('lost'), 'artel/bread-1');
  const theirs = await git.git('lost', 'rev-parse', 'HEAD');
  const again = pushTo('lost', [change('src/bake.ts', bread, 'export const bread = 2;\n')]);
  await expect(again).rejects.toMatchObject({ reason: 'branch_moved', details: { ours: sha, theirs } });
});

/** Pushes like `pushTo`, after `meanwhile`: it runs before the first request of this kind. */
function pushAfter(
  name: string,
  files: FileChange[],
  isMoment: (address: string, method: string) => boolean,
  meanwhile: () => Promise<unknown>,
) {
  const egress = createEgress({ allowPrivate: true, proxies: null });
  let isOver = false;
  const delayed = createGitCommits(async (address, request) => {
    if (!isOver && isMoment(address, request?.method ?? 'GET')) {
      isOver = true;
      await meanwhile();
    }
    return egress(address, request);
  });
  return delayed.push({ url: git.urlOf(name), token: 'secret-token', ref: 'main', commit: commitOf(files), run, head: null, limits });
}
const moments: [string, string, (address: string, method: string) => boolean][] = [
  ['before-list', 'before the server lists its branches for the push', (address) => address.includes('service=git-receive-pack')],
  ['before-push', 'before the push itself', (address, method) => method === 'POST' && address.endsWith('/git-receive-pack')],
];
const files = [change('src/bake.ts', bread, 'export const bread = 2;\n')];

test.each(sampleOf(moments, { some: 1 }))(
  'G3.22 a run that two nodes publish at the same time becomes one commit, also on a base that moves meanwhile (%s: %s)',
  async (at, _when, isMoment) => {
    const base = await makeRepository(at);
    let first = '';
    const second = await pushAfter(at, files, isMoment, async () => {
      first = (await pushTo(at, files)).sha;
    });
    expect(second).toEqual({ sha: first, base, renamed: [] });
    const moved = `${at}-moved`;
    await makeRepository(moved);
    const onMoved = await pushAfter(moved, files, isMoment, async () => {
      await git.git(moved, 'commit', '-q', '--allow-empty', '-m', 'More');
      await git.publish(moved);
      first = (await pushTo(moved, files)).sha;
    });
    expect(onMoved.sha).toBe(first);
    expect(await fetched(moved, 'rev-list', '--count', 'origin/main..origin/artel/bread-1')).toBe('1');
  },
);

test.each(sampleOf(moments, { some: 1 }))(
  'G3.22 a branch that another person pushes between reading and pushing stays theirs, with both commits named (%s: %s)',
  async (at, _when, isMoment) => {
    const name = `other-${at}`;
    await makeRepository(name);
    let theirs = '';
    const pushed = pushAfter(name, files, isMoment, async () => {
      await git.git(name, 'checkout', '-qb', 'artel/bread-1');
      await git.git(name, 'commit', '-q', '--allow-empty', '-m', 'Mine');
      await git.publish(name);
      theirs = await git.git(name, 'rev-parse', 'HEAD');
    });
    const failure = await pushed.catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason: 'branch_moved', details: { ours: null, theirs } });
    expect(await fetched(name, 'rev-parse', 'origin/artel/bread-1')).toBe(theirs);
  },
);

test('G3.23 a base that has moved is merged by line; only what conflicts is listed and nothing is pushed', async () => {
  await makeRepository('ahead');
  const folder = git.folderOf('ahead');
  await writeFile(join(folder, 'README.md'), '# Bakery, moved\n');
  await git.git('ahead', 'commit', '-qam', 'Move');
  await git.publish('ahead');
  const moved = await git.git('ahead', 'rev-parse', 'HEAD');
  const files = [change('src/bake.ts', bread, 'export const bread = 2;\n'), change('README.md', '# Bakery\n', '# Bakery by a run\n')];
  const lines = [{ line: 1, ours: '# Bakery by a run', theirs: '# Bakery, moved' }];
  await expect(pushTo('ahead', files)).rejects.toMatchObject({
    reason: 'base_moved',
    details: { files: ['README.md'], conflicts: [{ path: 'README.md', reason: 'lines', lines }] },
  });
  const gone = [change('gone.md', 'Old\n', 'New\n')];
  await expect(pushTo('ahead', gone)).rejects.toMatchObject({
    reason: 'base_moved',
    details: { files: ['gone.md'], conflicts: [{ path: 'gone.md', reason: 'removed', lines: [] }] },
  });
  const places = [change('src', null, 'a file'), change('README.md/part.md', null, 'a folder')];
  await expect(pushTo('ahead', places)).rejects.toMatchObject({ reason: 'base_moved', details: { files: ['src', 'README.md/part.md'] } });
  expect(await fetched('ahead', 'branch', '-r', '--list', '*artel*')).toBe('');
  const uploaded = { ...change('given.md', 'Old\n', 'New\n'), isUploaded: true };
  const pushed = await pushTo('ahead', [uploaded, ...files.slice(0, 1), change('README.md', '# Bakery\n', '# Bakery, moved\n')]);
  expect(pushed.base).toBe(moved);
  expect(await fetched('ahead', 'diff', '--name-only', moved, pushed.sha)).toBe('given.md\nsrc/bake.ts');
});

test('C7.02 lines that run and repository have changed apart are both in the commit, with their bytes', async () => {
  await makeRepository('merged');
  const folder = git.folderOf('merged');
  const before = '# Bakery\r\n\n- bread\n- cake\n\nOpen at six';
  await writeFile(join(folder, 'README.md'), before);
  await git.git('merged', 'commit', '-qam', 'More');
  await writeFile(join(folder, 'README.md'), before.replace('Open at six', 'Open at seven'));
  await git.git('merged', 'commit', '-qam', 'Later');
  await git.publish('merged');
  const { sha } = await pushTo('merged', [change('README.md', before, before.replace('- bread', '- rye bread'))]);
  const files = [change('README.md', before, before.replace('- bread', '- rye bread'))];
  expect(await pushTo('merged', files, sha)).toEqual({ sha, base: null, renamed: [] });
  expect((await pushTo('merged', files)).sha).toBe(sha);
  expect(await fetched('merged', 'show', `${sha}:README.md`)).toBe('# Bakery\r\n\n- rye bread\n- cake\n\nOpen at seven');
});

const otherRun = '01a1fab3-094b-73bf-a485-a91fccff0c5e';
/** Pushes to the branch of `pushTo` for another run that may add to it. */
const pushOther = (name: string, files: FileChange[], { head = null as string | null, heads = [] as string[], isOpen = false } = {}) =>
  commits.push({
    ...{ url: git.urlOf(name), token: 'secret-token', ref: 'main', run: otherRun, head, limits },
    commit: { ...commitOf(files), message: `Bake more\n\nArtel-Run: ${otherRun}\n` },
    follows: { heads, runs: [run], replaced: heads.length > 0 ? [run] : [], isOpen },
  });

test('C7.04 a fork adds to the branch of its original, and the original published again takes nothing of it back', async () => {
  await makeRepository('fork');
  const first = [change('src/bake.ts', bread, 'export const bread = 2;\n'), change('src/only.ts', null, 'of the original\n')];
  const { sha } = await pushTo('fork', first);
  await expect(pushOther('fork', [change('src/bake.ts', bread, 'three\n')])).rejects.toMatchObject({ reason: 'branch_moved' });
  const fork = await pushOther('fork', [change('src/bake.ts', bread, 'export const bread = 3;\n')], { heads: [sha] });
  expect(fork.base).toBe(sha);
  expect(await fetched('fork', 'rev-parse', 'origin/artel/bread-1', 'origin/artel/bread-1^')).toBe(`${fork.sha}\n${sha}`);
  expect(await git.git('fork', 'diff', '--name-only', `${sha}^`, fork.sha)).toBe('src/bake.ts');
  const again = await commits.push({
    ...{ url: git.urlOf('fork'), token: 'secret-token', ref: 'main', commit: commitOf(first), run, head: sha, limits },
    follows: { heads: [sha, fork.sha], runs: [otherRun], replaced: [], isOpen: false },
  });
  expect(again.sha).toBe(sha);
  expect(await fetched('fork', 'rev-parse', 'origin/artel/bread-1')).toBe(fork.sha);
  const more = [...first, change('docs/more.md', null, 'More.\n')];
  const added = await commits.push({
    ...{ url: git.urlOf('fork'), token: 'secret-token', ref: 'main', commit: commitOf(more), run, head: sha, limits },
    follows: { heads: [sha, fork.sha], runs: [otherRun], replaced: [], isOpen: false },
  });
  expect(await fetched('fork', 'diff', '--name-only', fork.sha, added.sha)).toBe('docs/more.md');
});

test('C7.05 a run that began with a branch adds to that branch, also after commits of others, and merges these commits', async () => {
  await makeRepository('follow');
  const { sha } = await pushTo('follow', [change('src/bake.ts', bread, 'one\ntwo\nthree\n')]);
  await fetched('follow', 'checkout', '-qb', 'artel/bread-1', 'origin/artel/bread-1');
  await writeFile(join(git.folderOf('follow'), 'src', 'bake.ts'), 'one\ntwo\nTHREE\n');
  await git.git('follow', 'commit', '-qam', 'By a reviewer');
  await git.publish('follow');
  const reviewed = await git.git('follow', 'rev-parse', 'HEAD');
  const next = [change('src/bake.ts', 'one\ntwo\nthree\n', 'ONE\ntwo\nthree\n')];
  await expect(pushOther('follow', next, { heads: [sha] })).rejects.toMatchObject({ reason: 'branch_moved' });
  const pushed = await pushOther('follow', next, { isOpen: true });
  expect(await fetched('follow', 'rev-parse', 'origin/artel/bread-1^')).toBe(reviewed);
  expect(await git.git('follow', 'show', `${pushed.sha}:src/bake.ts`)).toBe('ONE\ntwo\nTHREE');
  expect(await pushOther('follow', next, { isOpen: true, head: pushed.sha })).toEqual({ sha: pushed.sha, base: null, renamed: [] });
  expect(await pushOther('follow', next, { isOpen: true })).toEqual({ sha: pushed.sha, base: reviewed, renamed: [] });
});

test('G3.24 no difference, an unknown base, a wrong token and a server that refuses each have their reason', async () => {
  await makeRepository('refuses');
  await expect(pushTo('refuses', [change('src/bake.ts', bread, bread)])).rejects.toMatchObject({ reason: 'nothing' });
  await expect(pushTo('refuses', [change('a.md', null, 'a')], null, 'nowhere')).rejects.toMatchObject({ reason: 'ref' });
  git.protect('another');
  try {
    await expect(pushTo('refuses', [change('a.md', null, 'a')])).rejects.toMatchObject({ reason: 'needs_token' });
  } finally {
    git.protect(null);
  }
  await git.addHook('refuses', 'pre-receive', '#!/bin/sh\necho "Only on Mondays." >&2\nexit 1\n');
  await expect(pushTo('refuses', [change('a.md', null, 'a')])).rejects.toMatchObject({
    ...{ reason: 'rejected', details: { text: expect.stringMatching(/Only on Mondays\..*pre-receive hook declined/) } },
  });
});

test('G3.25 a run is taken along as a bundle: on the repository it began with, or whole', async () => {
  const base = await makeRepository('bundle');
  const commit = commitOf([change('src/bake.ts', bread, 'export const bread = 2;\n')]);
  const from = { url: git.urlOf('bundle'), ref: 'main', token: null };
  await writeFile(join(git.folderOf('bundle'), 'run.bundle'), await commits.bundle({ from, base: [], commit, limits }));
  await git.git('bundle', 'bundle', 'verify', '-q', 'run.bundle');
  await git.git('bundle', 'fetch', '-q', 'run.bundle', 'artel/bread-1:taken');
  expect(await git.git('bundle', 'log', '--format=%s', 'taken')).toBe('Bake bread\nBegin');
  // As the page and the README say: without the name of a branch.
  await git.git('bundle', 'fetch', '-q', 'run.bundle');
  expect(await git.git('bundle', 'rev-parse', 'FETCH_HEAD')).toBe(await git.git('bundle', 'rev-parse', 'taken'));
  expect(await git.git('bundle', 'diff', '--name-only', base, 'taken')).toBe('src/bake.ts');

  const script = { path: 'bake.sh', content: bytes('exit 0'), isExecutable: true };
  const given = [{ path: 'src/bake.ts', content: bytes(bread), isExecutable: false }, script];
  const alone = await commits.bundle({ from: null, base: given, commit, limits });
  await writeFile(join(git.folderOf('bundle'), 'whole.bundle'), alone);
  await git.git('bundle', 'clone', '-q', 'whole.bundle', 'whole');
  expect(await readFile(join(git.folderOf('bundle'), 'whole', 'src', 'bake.ts'), 'utf8')).toBe('export const bread = 2;\n');
  expect(await git.git('bundle', '-C', 'whole', 'ls-tree', 'HEAD', 'bake.sh')).toMatch(/^100755 /);
  expect(await git.git('bundle', '-C', 'whole', 'log', '--format=%s')).toBe('Bake bread\nThe files that the run began with');
});

test('G8.22 beside an odd name a bundle and a push keep it as it is', async () => {
  await makeRepository('odd');
  const folder = git.folderOf('odd');
  await writeFile(join(folder, 'back\\slash.txt'), 'odd\n');
  await git.git('odd', 'add', '.');
  await git.git('odd', 'commit', '-qm', 'Odd');
  await git.publish('odd');
  const files = [change('src/bake.ts', bread, 'export const bread = 2;\n')];
  const { sha } = await pushTo('odd', files);
  expect(await fetched('odd', 'diff', '--name-only', 'main', sha)).toBe('src/bake.ts');
  expect(await git.git('odd', 'ls-tree', '-r', '-z', '--name-only', sha)).toContain('back\\slash.txt');
  const from = { url: git.urlOf('odd'), ref: 'main', token: null };
  await writeFile(join(folder, 'run.bundle'), await commits.bundle({ from, base: [], commit: commitOf(files), limits }));
  await git.git('odd', 'fetch', '-q', 'run.bundle', 'artel/bread-1:taken');
  expect(await git.git('odd', 'diff', '--name-only', 'main', 'taken')).toBe('src/bake.ts');
  expect(await git.git('odd', 'fsck', '--strict', 'taken')).toBe('');
});

test('C6.09 a push and a bundle of a repository that is larger than what may be received take its folders, and the files that are merged', async () => {
  await makeRepository('large');
  await git.configure('large', 'uploadpack.allowFilter', 'true');
  const folder = git.folderOf('large');
  // The limit of a call is four mebibytes above that of the repository, which is one.
  await writeFile(join(folder, 'large.bin'), randomBytes(6 * 1024 * 1024));
  await writeFile(join(folder, 'guide.md'), 'Mix.\nKnead.\nRest.\nBake.\n');
  await git.git('large', 'add', '.');
  await git.git('large', 'commit', '-qm', 'Grow');
  await git.publish('large');
  const from = { url: git.urlOf('large'), ref: 'main', token: null };
  const files = [change('README.md', '# Bakery\n', '# Our bakery\n'), change('docs/how.md', null, 'Bake.\n\n\nEat.\n')];
  const { sha } = await pushTo('large', files);
  await fetched('large', 'status');
  expect(await git.git('large', 'diff', '--name-status', 'main', sha)).toBe('M\tREADME.md\nA\tdocs/how.md');
  // The branch has moved: the run is merged with its newest text, which is fetched.
  await git.git('large', 'checkout', '-qb', 'artel/bread-1', sha);
  await writeFile(join(folder, 'docs', 'how.md'), 'Bake.\n\n\nEat it.\n');
  await git.git('large', 'commit', '-qam', 'Theirs');
  await git.git('large', 'push', '-q', git.urlOf('large'), 'artel/bread-1');
  const more = [change('README.md', '# Bakery\n', '# Our bakery\n'), change('docs/how.md', null, 'Bake it.\n\n\nEat.\n')];
  const follows = { heads: [], runs: [], replaced: [], isOpen: true };
  const again = await commits.push({
    ...{ url: git.urlOf('large'), token: 'secret-token', ref: 'main', commit: commitOf(more), run, head: sha, follows, limits },
  });
  expect(await fetched('large', 'show', `${again.sha}:docs/how.md`)).toBe('Bake it.\n\n\nEat it.');
  await writeFile(join(folder, 'run.bundle'), await commits.bundle({ from, base: [], commit: commitOf(more), limits }));
  await git.git('large', 'clone', '-q', git.urlOf('large'), 'clone');
  await git.git('large', '-C', 'clone', 'pull', '-q', '../run.bundle', 'artel/bread-1');
  expect(await git.git('large', '-C', 'clone', 'diff', '--name-status', 'HEAD^')).toBe('M\tREADME.md\nA\tdocs/how.md');
  expect(await git.git('large', '-C', 'clone', 'fsck', '--strict')).toBe('');
  // The base has renamed and changed a file that the run has changed: what is new there is fetched to be compared.
  await git.git('large', 'checkout', '-q', 'main');
  await git.git('large', 'mv', 'guide.md', 'manual.md');
  await writeFile(join(folder, 'manual.md'), 'Mix.\nKnead.\nRest.\nBake slowly.\n');
  await git.git('large', 'commit', '-qam', 'Rename');
  await git.git('large', 'push', '-q', git.urlOf('large'), 'main');
  const guide = 'Mix.\nKnead.\nRest.\nBake.\n';
  const moved = commitOf([change('guide.md', guide, guide.replace('Mix.', 'Mix all.'))], 'artel/bread-2');
  const began = ['README.md', 'bake.sh', 'guide.md', 'large.bin', 'src/bake.ts'].map((path) => ({ path, oid: blobName(bytes(guide)) }));
  const origin = async () => ({ files: began, paths: [] });
  const third = await commits.push({
    url: git.urlOf('large'),
    token: 'secret-token',
    ref: 'main',
    commit: moved,
    run,
    head: null,
    origin,
    limits,
  });
  expect(third.renamed).toEqual([{ path: 'manual.md', from: 'guide.md' }]);
  expect(await fetched('large', 'show', `${third.sha}:manual.md`)).toBe('Mix all.\nKnead.\nRest.\nBake slowly.');
  await writeFile(join(folder, 'run.bundle'), await commits.bundle({ from, base: [], commit: moved, origin, limits }));
  await git.git('large', 'fetch', '-q', 'run.bundle', 'artel/bread-2:taken');
  expect(await git.git('large', 'diff', '--name-status', 'taken', third.sha)).toBe('');
});

test('G8.28 a client that goes ends a push before its commit is sent, and not after', async () => {
  await makeRepository('gone');
  const files = [change('src/bake.ts', bread, 'export const bread = 2;\n')];
  const egress = createEgress({ allowPrivate: true, proxies: null });
  const pushUntil = (path: string) => {
    const gone = new AbortController();
    const leaving = createGitCommits(async (address, request) => {
      if (address.endsWith(path)) gone.abort('gone');
      return egress(address, request);
    });
    const caller = { account: 'ann', signal: gone.signal };
    const given = { url: git.urlOf('gone'), token: 'secret-token', ref: 'main', head: null, commit: commitOf(files), run, limits, caller };
    return leaving.push(given);
  };
  await expect(pushUntil('/info/refs?service=git-receive-pack')).rejects.toBe('gone');
  const branches = () => fetched('gone', 'branch', '-r', '--list', 'origin/artel/*');
  expect(await branches()).toBe('');
  const { sha } = await pushUntil('/git-receive-pack');
  expect(await fetched('gone', 'rev-parse', 'origin/artel/bread-1')).toBe(sha);
});
