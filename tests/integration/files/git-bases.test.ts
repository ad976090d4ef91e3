import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ErrorBody } from '../../../contract/errors.ts';
import type { ExecutionFiles } from '../../../contract/executions/file.ts';
import type { ProjectGitTarget } from '../../../contract/executions/publishing.ts';
import type { InputAddition, InputFilesPage, InputSet } from '../../../contract/input.ts';
import { removeUnusedBases } from '../../../server/modules/inputs/index.ts';
import { signUp } from '../../support/run-account.ts';
import { startGitServer } from '../../support/services/git-server.ts';
import { setUp, setUpAccount, setUpModelServer, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const models = setUpModelServer();
const git = setUp(startGitServer, ({ close }) => close());
const { database, server } = setUpServerOnDatabase(() => ({
  ...{ OPENAI_BASE_URL: models.url, ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on', ARTEL_REPOSITORY_FILES: '300' },
}));
const ann = setUpAccount(server);

const newSet = async () => (await ann.call<InputSet>('POST', '/inputSet', { projectId: 'default' })).body.id;
const add = (id: string, url: string, more: object = {}) =>
  ann.call<InputAddition & ErrorBody>('POST', `/inputSet/${id}/repository`, { url, ...more });
const read = async (id: string) => (await ann.call<InputSet>('GET', `/inputSet/${id}`)).body;
const list = async (id: string, query: Record<string, string> = {}) =>
  (await ann.call<InputFilesPage>('GET', `/inputSet/${id}/files?${new URLSearchParams(query)}`)).body;
const pathsOf = ({ files }: Pick<InputFilesPage, 'files'>) => files.map(({ path }) => path);
const countOf = async (table: string) =>
  Number((await database.pool.query<{ count: string }>(`SELECT count(*) FROM ${table}`)).rows[0]?.count);

async function makeRepository(name: string, files: Record<string, string | Buffer>): Promise<string> {
  await git.git(name, 'status');
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(git.folderOf(name), path, '..'), { recursive: true });
    await writeFile(join(git.folderOf(name), path), content);
  }
  await commit(name);
  return git.urlOf(name);
}

async function commit(name: string): Promise<void> {
  await git.git(name, 'add', '.');
  await git.git(name, 'commit', '-qm', 'Change');
  await git.publish(name);
}

test('C6.01 a tree and its blobs are stored once for all sets of an account, and copies store nothing', async () => {
  const url = await makeRepository('shared', { 'a.txt': 'a\n', 'b.txt': 'b\n', 'same.txt': 'a\n' });
  const [first, second] = [await newSet(), await newSet()];
  expect(pathsOf((await add(first, url)).body.set)).toEqual(['a.txt', 'b.txt', 'same.txt']);
  expect([await countOf('git_bases'), await countOf('git_blobs'), await countOf('git_base_files')]).toEqual([1, 2, 3]);
  git.forget();
  await add(second, url);
  await ann.call('POST', '/inputSet', { projectId: 'default', copyOf: first });
  await writeFile(join(git.folderOf('shared'), 'c.txt'), 'c\n');
  await commit('shared');
  const third = await newSet();
  expect((await add(third, url)).body.set).toMatchObject({ count: 4, bytes: 8 });
  expect([await countOf('git_bases'), await countOf('git_blobs'), await countOf('input_files')]).toEqual([2, 3, 0]);
  const bob = await signUp(server.url);
  const { body } = await bob.call<InputSet>('POST', '/inputSet', { projectId: 'default' });
  await bob.call('POST', `/inputSet/${body.id}/repository`, { url });
  expect([await countOf('git_bases'), await countOf('git_blobs')]).toEqual([3, 6]);
});

test('C6.01 a base goes after the last set that uses it, with the blobs that no other base has', async () => {
  const forget = () => database.pool.query(`UPDATE git_bases SET created_at = now() - interval '1 day'`);
  const forgetBlobs = () => database.pool.query(`UPDATE git_blobs SET created_at = now() - interval '1 day'`);
  await database.pool.query('DELETE FROM input_sets');
  expect(await removeUnusedBases(database.db)).toBe(0);
  await forget();
  await forgetBlobs();
  await removeUnusedBases(database.db);
  expect([await countOf('git_bases'), await countOf('git_blobs'), await countOf('git_base_files')]).toEqual([0, 0, 0]);
  const url = await makeRepository('goes', { 'a.txt': 'stays\n', 'b.txt': 'goes\n' });
  const early = await newSet();
  await add(early, url);
  await rm(join(git.folderOf('goes'), 'b.txt'));
  await commit('goes');
  const late = await newSet();
  await add(late, url);
  await database.pool.query('DELETE FROM input_sets WHERE id = $1', [early]);
  await forget();
  await forgetBlobs();
  expect(await removeUnusedBases(database.db)).toBe(1);
  expect([await countOf('git_bases'), await countOf('git_blobs')]).toEqual([1, 1]);
  expect(pathsOf(await read(late))).toEqual(['a.txt']);
});

test('C6.03 one file too many is refused with the limit and what to do, and named folders are read alone', async () => {
  const many = Object.fromEntries(Array.from({ length: 301 }, (_, index) => [`packages/api/${index}.txt`, `${index}\n`]));
  const url = await makeRepository('many', { ...many, 'packages/web/a.txt': 'a\n', 'packages/web/b.txt': 'b\n' });
  const id = await newSet();
  const { status, body } = await add(id, url);
  expect([status, body.details]).toEqual([422, { reason: 'git_file_limit' }]);
  expect(body.message).toBe('The repository has more than 300 files. Name the folders that the run needs, such as packages/web.');
  const web = await add(id, url, { paths: ['/packages/web/'] });
  expect(web.body.set.git).toMatchObject({ url, paths: ['packages/web'] });
  expect(pathsOf(web.body.set)).toEqual(['packages/web/a.txt', 'packages/web/b.txt']);
  const { body: none } = await add(await newSet(), url, { paths: ['nowhere'] });
  expect(none.details).toEqual({ reason: 'git_paths' });
});

test('C6.04 the answer lists the first files of a large base, and counts all', async () => {
  const files = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`${String(index).padStart(3, '0')}.txt`, 'x']));
  const id = await newSet();
  const { body } = await add(id, await makeRepository('large', files));
  expect([body.set.files.length, body.set.count, body.set.bytes]).toEqual([200, 250, 250]);
  await ann.call('DELETE', `/inputSet/${id}/file?path=000.txt`);
  const { files: left, count } = await read(id);
  expect([left[0]?.path, left.length, count]).toEqual(['001.txt', 200, 249]);
});

test('C6.04 any file of a large base is found by its folder, page after page, or by words of its path', async () => {
  const named = (folder: string, count: number) =>
    Array.from({ length: count }, (_, index) => [`${folder}${String(index).padStart(3, '0')}.txt`, 'x'] as const);
  const files = Object.fromEntries([...named('a/large/', 205), ...named('b/', 2), ...named('a/', 2), ['README.md', 'x']]);
  const id = await newSet();
  await add(id, await makeRepository('foldered', files));
  await ann.call('PUT', `/inputSet/${id}/file?path=b/000.txt`, 'Mine');
  await ann.call('DELETE', `/inputSet/${id}/file?path=a/001.txt`);
  const root = await list(id);
  expect([root.folders, pathsOf(root), root.next]).toEqual([
    [
      { path: 'a/', count: 206 },
      { path: 'b/', count: 2 },
    ],
    ['README.md'],
    null,
  ]);
  const small = await list(id, { folder: 'b/' });
  expect(small.files.map(({ path, from }) => [path, from])).toEqual([
    ['b/000.txt', 'file'],
    ['b/001.txt', 'git'],
  ]);
  const inside = await list(id, { folder: 'a/' });
  expect([inside.folders, pathsOf(inside)]).toEqual([[{ path: 'a/large/', count: 205 }], ['a/000.txt']]);
  const first = await list(id, { folder: 'a/large/' });
  const second = await list(id, { folder: 'a/large/', after: first.next ?? '' });
  expect([first.files.length, first.next, second.next]).toEqual([200, 'a/large/199.txt', null]);
  expect(pathsOf(second)).toEqual(['200', '201', '202', '203', '204'].map((name) => `a/large/${name}.txt`));
  expect(pathsOf(await list(id, { search: 'LARGE 19' }))).toEqual([
    ...['a/large/019.txt', 'a/large/119.txt'],
    ...Array.from({ length: 10 }, (_, index) => `a/large/19${index}.txt`),
  ]);
  const found = await list(id, { search: 'txt', folder: 'a/' });
  expect([found.files.length, found.next]).toEqual([200, 'a/large/198.txt']);
  expect(pathsOf(await list(id, { search: 'txt', folder: 'a/', after: found.next ?? '' })).length).toBe(6);
});

test('C6.04 a path is found by the words that it has, also where the database writes small letters otherwise', async () => {
  const id = await newSet();
  const names = ['İstanbul.txt', 'ΛΟΓΟΣ.txt', 'Straße.txt'];
  for (const name of names) await ann.call('PUT', `/inputSet/${id}/file?path=${encodeURIComponent(name)}`, 'x');
  for (const name of names) expect(pathsOf(await list(id, { search: name.replace('.txt', '') }))).toEqual([name]);
});

test('C6.05 the longest path that a base may have fits its index, also where its key is longer than it', async () => {
  // Each of these letters is two in the composed form.
  const path = '界'.repeat(850) + '\u0958'.repeat(30);
  const { rowCount } = await database.pool.query(
    `INSERT INTO git_base_files (base_id, path, user_id, executable, bytes, sha256, kind, mime, replaced)
     SELECT base_id, $1, user_id, executable, bytes, sha256, kind, mime, replaced FROM git_base_files LIMIT 1`,
    [path],
  );
  expect(rowCount).toBe(1);
  await database.pool.query('DELETE FROM git_base_files WHERE path = $1', [path]);
});

test('C6.05 file names in both normal forms, names that differ by case, and names that some systems forbid keep their bytes', async () => {
  const composed = 'caf\u00e9.txt';
  const decomposed = 'cafe\u0301.txt';
  const names = ['Case.md', 'a\\b.txt', 'aux.c', 'case.md', decomposed, composed, 'имя файла.txt', 'what?.txt'];
  const url = await makeRepository('named', Object.fromEntries(names.map((name) => [name, `${name}\n`])));
  const { body } = await add(await newSet(), url);
  expect(pathsOf(body.set)).toEqual(names.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))));
  expect(body.leftOut).toEqual([]);
});

test('C6.05 an agent reads and writes such a file, and never writes a second spelling beside one', async () => {
  const decomposed = 'cafe\u0301.txt';
  const url = await makeRepository('edited', {
    'Case.md': 'C\n',
    'case.md': 'c\n',
    'aux.c': 'int x;\n',
    'a\\b.txt': 'b\n',
    [decomposed]: 'e\n',
  });
  const id = await newSet();
  await add(id, url);
  const written = ['case.md', 'aux.c', 'a\\b.txt', 'caf\u00e9.txt', 'CASE.md', 'con.txt'];
  const turns = [
    written.map((path, at) => ({ id: `w${at}`, name: 'write_file', arguments: JSON.stringify({ path, content: 'new\n' }) })),
    [{ id: 'r', name: 'read_file', arguments: JSON.stringify({ path: 'caf\u00e9.txt' }) }],
  ];
  models.answer(() => {
    const calls = turns.shift();
    return calls ? { kind: 'calls', calls } : { kind: 'text', text: 'Done.' };
  });
  const { id: run } = await ann.start(await ann.pipeline('developer'), 'Change them', { inputSetId: id });
  await ann.until(run, ({ status }) => status === 'completed');
  const { files } = (await ann.call<ExecutionFiles>('GET', `/PipelineExecution/${run}/files`)).body;
  expect(files.map(({ path }) => path).toSorted()).toEqual(['a\\b.txt', 'aux.c', 'case.md', decomposed].toSorted());
});

test('C6.06 links, submodules and pointers of Git LFS are listed as what they are, also when their blobs are known', async () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'4d'.repeat(32)}\nsize 12345\n`;
  const url = await makeRepository('linked', { 'model.bin': pointer, 'a.txt': 'a\n' });
  await symlink('a.txt', join(git.folderOf('linked'), 'link'));
  await git.git('linked', 'add', '.');
  await git.git('linked', 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},lib`);
  await git.git('linked', 'commit', '-qm', 'Link');
  await git.publish('linked');
  const first = await add(await newSet(), url);
  await writeFile(join(git.folderOf('linked'), 'b.txt'), 'b\n');
  await git.git('linked', 'add', 'b.txt');
  await git.git('linked', 'commit', '-qm', 'Add');
  await git.publish('linked');
  const second = await add(await newSet(), url);
  for (const { body } of [first, second]) {
    for (const { leftOut } of [body, await list(body.set.id)])
      expect(leftOut.map(({ path, reason }) => [path, reason])).toEqual([
        ['lib', 'submodule'],
        ['link', 'link'],
        ['model.bin', 'lfs'],
      ]);
    expect(pathsOf(body.set)).not.toContain('model.bin');
  }
});

test('C6.06 no link is written over, also in a repository with more of them than are listed', async () => {
  const url = await makeRepository('links', { 'a.txt': 'a\n' });
  const id = await newSet();
  await add(id, url);
  await database.pool.query(
    `INSERT INTO git_base_files (base_id, path, user_id, executable, bytes, sha256, kind, mime, replaced, reason)
      SELECT bases.id, 'links/' || number, bases.user_id, false, 0, '', 'binary', '', 0, 'link'
      FROM input_sets AS sets JOIN git_bases AS bases ON bases.id = sets.base_id, generate_series(10001, 14001) AS number WHERE sets.id = $1`,
    [id],
  );
  const written = ['links/10001', 'links/14001', 'a.txt'].map((path, at) => ({
    ...{ id: `w${at}`, name: 'write_file', arguments: JSON.stringify({ path, content: 'new\n' }) },
  }));
  models.answer(({ number }) => (number === 1 ? { kind: 'calls', calls: written } : { kind: 'text', text: 'Done.' }));
  models.calls.length = 0;
  const { id: run } = await ann.start(await ann.pipeline('developer'), 'Change them', { inputSetId: id });
  await ann.until(run, ({ status }) => status === 'completed');
  const { files } = (await ann.call<ExecutionFiles>('GET', `/PipelineExecution/${run}/files`)).body;
  expect(files.map(({ path }) => path)).toEqual(['a.txt']);
});

test('C6.08 a private repository is read with the token of the project, on its host alone, and within the paths that the project names', async () => {
  const url = await makeRepository('private', { 'packages/web/a.txt': 'a\n', 'docs/b.txt': 'b\n' });
  const other = await startGitServer();
  git.protect('project-token');
  other.protect('project-token');
  try {
    expect((await add(await newSet(), url)).body.details).toEqual({ reason: 'git_needs_token' });
    const target = { url, baseBranch: 'main', forge: 'none', token: 'project-token', paths: ['packages/web'] };
    const stored = await ann.call<ProjectGitTarget>('PUT', '/project/default/git-target', target);
    expect(stored.body.target).toMatchObject({ paths: ['packages/web'], hasToken: true });
    expect(pathsOf((await add(await newSet(), url)).body.set)).toEqual(['packages/web/a.txt']);
    expect(pathsOf((await add(await newSet(), url, { paths: ['docs'] })).body.set)).toEqual(['docs/b.txt']);
    expect((await add(await newSet(), url, { paths: [] })).body.set.count).toBe(2);
    expect((await add(await newSet(), url, { token: 'another' })).body.details).toEqual({ reason: 'git_needs_token' });
    expect((await add(await newSet(), other.urlOf('private'))).body.details).toEqual({ reason: 'git_needs_token' });

    // The owner reads whatever the token can; a program reads the project's repository alone.
    const neighbour = await makeRepository('neighbour', { 'secret.txt': 'of another project\n' });
    expect(pathsOf((await add(await newSet(), neighbour)).body.set)).toEqual(['secret.txt']);
    const { body: created } = await ann.call<{ key: string }>('POST', '/api-keys', { name: 'program', scopes: ['read', 'run', 'edit'] });
    const byProgram = async (address: string) => {
      const set = await newSet();
      return ann.with(created.key).call<InputAddition & ErrorBody>('POST', `/inputSet/${set}/repository`, { url: address });
    };
    expect((await byProgram(neighbour)).body.details).toEqual({ reason: 'git_needs_token' });
    expect(pathsOf((await byProgram(url)).body.set)).toEqual(['packages/web/a.txt']);
    const release = { pipelineId: (await ann.pipeline('developer')).id, slug: 'reader', title: 'Reader', task: 'Read it' };
    expect((await ann.call('POST', '/project/default/released-teams', release)).status).toBe(201);
    const call = await ann.call<ErrorBody>('POST', '/team/reader/runs', { input: {}, git: { url: neighbour } });
    expect(call.body.details).toEqual({ reason: 'git_needs_token' });
  } finally {
    git.protect(null);
    await other.close();
  }
});
