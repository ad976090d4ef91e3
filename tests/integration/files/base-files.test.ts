import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync, zipSync } from 'fflate';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import type { ErrorBody } from '../../../contract/errors.ts';
import type { ExecutionFiles } from '../../../contract/executions/file.ts';
import type { Publication } from '../../../contract/executions/publishing.ts';
import type { ToolCall } from '../../../contract/executions/tool-call.ts';
import type { InputAddition, InputSet } from '../../../contract/input.ts';
import { signUp } from '../../support/run-account.ts';
import { setUpRepositories } from '../../support/set-up/repositories.ts';

const { models, git, database, server, ann } = setUpRepositories();

const notText = Buffer.from('f600ede00a', 'hex');

async function makeRepository(name: string): Promise<string> {
  await git.git(name, 'status');
  const folder = git.folderOf(name);
  await mkdir(join(folder, 'src'));
  await writeFile(join(folder, 'src', 'cart.ts'), 'export const total = 1;\n');
  await writeFile(join(folder, 'README.md'), '# Shop\n');
  await writeFile(join(folder, 'config.yml'), 'debug: false\n');
  await writeFile(join(folder, 'data.csv'), notText);
  await writeFile(join(folder, 'gradlew'), '#!/bin/sh\nexit 0\n');
  await chmod(join(folder, 'gradlew'), 0o755);
  await symlink('README.md', join(folder, 'link.md'));
  await git.git(name, 'add', '.');
  await git.git(name, 'commit', '-qm', 'Begin');
  await git.publish(name);
  return git.urlOf(name);
}

const newSet = async () => (await ann.call<InputSet>('POST', '/inputSet', { projectId: 'default' })).body.id;
const addRepository = async (id: string, url: string) =>
  (await ann.call<InputAddition>('POST', `/inputSet/${id}/repository`, { url })).body;

const send = (method: string, path: string, content: string | Uint8Array) =>
  fetch(`${server.url}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${ann.accessToken}`,
      'content-type': path.endsWith('archive') ? 'application/zip' : 'application/octet-stream',
    },
    body: content as BodyInit,
  });
const put = (id: string, path: string, content: string | Uint8Array) =>
  send('PUT', `/inputSet/${id}/file?path=${encodeURIComponent(path)}`, content);
const textOf = (id: string, path: string) =>
  fetch(`${server.url}/api/inputSet/${id}/file?path=${path}`, { headers: { authorization: `Bearer ${ann.accessToken}` } }).then((answer) =>
    answer.text(),
  );

const block = (path: string, text: string) => `\`\`\`txt path=${path}\n${text}\n\`\`\`\n`;

async function run(setId: string, answer: string): Promise<string> {
  models.answer({ kind: 'text', text: answer });
  const { id } = await ann.start(await ann.pipeline('developer'), 'Change them', { inputSetId: setId });
  await ann.until(id, ({ status }) => status === 'completed');
  return id;
}

const filesOf = async (id: string) => (await ann.call<ExecutionFiles>('GET', `/PipelineExecution/${id}/files`)).body;
const download = (id: string, what: string) =>
  fetch(`${server.url}/api/PipelineExecution/${id}/${what}`, { headers: { authorization: `Bearer ${ann.accessToken}` } });
const publish = (id: string) => ann.call<Publication & ErrorBody>('POST', `/PipelineExecution/${id}/publish`, {});
const setTarget = (url: string) =>
  ann.call('PUT', '/project/default/git-target', { url, baseBranch: 'main', forge: 'none', token: 'token-f00d' });

test('G3.04 an answer cannot replace a base file that is not text or was left out, nor put a file beside another spelling of it', async () => {
  const url = await makeRepository('answer');
  const set = await newSet();
  await addRepository(set, url);
  const wrong = ['data.csv', 'link.md', 'readme.md', 'src', 'README.md/part.md'];
  const id = await run(set, [...wrong, 'src/cart.ts'].map((path) => block(path, 'other')).join('\n'));
  const { files, refused } = await filesOf(id);
  expect(files.map(({ path }) => path)).toEqual(['src/cart.ts']);
  expect(refused.map(({ path, reason }) => [path, reason])).toEqual([
    ['data.csv', 'not_replaceable'],
    ['link.md', 'not_replaceable'],
    ['readme.md', 'path_taken'],
    ['src', 'path_taken'],
    ['README.md/part.md', 'path_taken'],
  ]);
  expect(refused[0]?.message).toContain('it is no text');
  await setTarget(url);
  expect((await publish(id)).status).toBe(200);
  expect((await download(id, 'bundle')).status).toBe(200);
});

test('G3.04 a tool cannot either, and the model reads the reason', async () => {
  const set = await newSet();
  await addRepository(set, await makeRepository('tool'));
  models.answer(({ body }) => {
    if (body.messages.some(({ role }) => role === 'tool')) return { kind: 'text', text: 'Done.' };
    const paths = ['data.csv', 'link.md', 'Src/Cart.ts', 'src', 'src/cart.ts'];
    const calls = paths.map((path, at) => ({ id: `c${at}`, name: 'write_file', arguments: JSON.stringify({ path, content: 'x' }) }));
    return { kind: 'calls', calls };
  });
  const { id } = await ann.start(await ann.pipeline('developer'), 'Change them', { inputSetId: set });
  await ann.until(id, ({ status }) => status === 'completed');
  const { body: calls } = await ann.call<ToolCall[]>('GET', `/PipelineExecution/${id}/calls?limit=100`);
  expect(calls.map(({ state }) => state)).toEqual(['failed', 'failed', 'failed', 'failed', 'done']);
  expect(calls[0]?.result).toContain('data.csv: The run began with a file at this path');
  expect(calls[3]?.result).toContain('already exists');
});

test('G3.35 a runner gets the files of a repository with their bytes and modes, and the log begins with those that it does not have', async () => {
  const set = await newSet();
  await addRepository(set, await makeRepository('runner'));
  await ann.call('PUT', '/project/default', { testCommand: './gradlew && od -An -tx1 data.csv; ls' });
  models.answer({ kind: 'text', text: block('gradlew', '#!/bin/sh\necho built') });
  const { id } = await ann.start(await ann.pipeline('developer', 'qa'), 'Build it', { inputSetId: set });
  const run = await ann.until(id, ({ status }) => status === 'completed');
  await ann.call('PUT', '/project/default', { testCommand: '' });
  const tester = run.steps[1];
  expect(tester?.testRun).toMatchObject({ state: 'ended', exitCode: 0 });
  const log = await (await download(id, `steps/${tester?.stepId}/test-log`)).text();
  const head = 'Files that the run began with and the runner does not have: 1\nlink.md: Symbolic links are left out.\n\n';
  expect(log).toBe(`${head}built\n f6 00 ed e0 0a\nREADME.md\nconfig.yml\ndata.csv\ngradlew\nsrc\n`);
});

test('G3.19 a file of the user stays when a repository or a ZIP has one of its path, and the answer lists it', async () => {
  const url = await makeRepository('kept');
  const set = await newSet();
  await put(set, 'config.yml', 'debug: mine\n');
  const zip = await send(
    'POST',
    `/inputSet/${set}/archive`,
    zipSync({ 'config.yml': Buffer.from('debug: zip\n'), 'b.txt': Buffer.from('b') }),
  );
  expect(((await zip.json()) as InputAddition).leftOut.map(({ path, reason }) => [path, reason])).toEqual([['config.yml', 'path_kept']]);
  const { leftOut, set: all } = await addRepository(set, url);
  expect(leftOut.map(({ path, reason }) => [path, reason])).toEqual([
    ['config.yml', 'path_kept'],
    ['link.md', 'link'],
  ]);
  expect(all.files.filter(({ from }) => from !== 'git').map(({ path, from }) => [path, from])).toEqual([
    ['b.txt', 'archive'],
    ['config.yml', 'file'],
  ]);
  expect(await textOf(set, 'config.yml')).toBe('debug: mine\n');
  // Without the own file the one of the repository is back.
  expect((await ann.call('DELETE', `/inputSet/${set}/file?path=config.yml`)).status).toBe(204);
  expect(await textOf(set, 'config.yml')).toBe('debug: false\n');
});

test.each(['before', 'after'])(
  'G3.23 an own file that is added %s the repository is published and taken along as a change of the file there',
  async (when) => {
    const name = `own-${when}`;
    const url = await makeRepository(name);
    const set = await newSet();
    if (when === 'before') await put(set, 'config.yml', 'debug: mine\n');
    await addRepository(set, url);
    if (when === 'after') await put(set, 'config.yml', 'debug: mine\n');
    // A file that was removed from the set is still in the repository.
    await ann.call('DELETE', `/inputSet/${set}/file?path=README.md`);
    const id = await run(set, block('config.yml', 'debug: ours') + block('README.md', '# Ours'));
    const patch = await (await download(id, 'patch')).text();
    expect(patch).toContain('-debug: false\n+debug: ours\n');
    await writeFile(join(git.folderOf(name), 'run.patch'), patch);
    await git.git(name, 'apply', '--check', 'run.patch');
    expect((await download(id, 'bundle')).status).toBe(200);
    await setTarget(url);
    const published = await publish(id);
    expect([published.status, published.body.details]).toEqual([200, undefined]);
  },
);

test('G3.15 a set is copied with its repository and all that is known of it, or without; another person’s set is not', async () => {
  const url = await makeRepository('copied');
  const set = await newSet();
  await put(set, 'config.yml', 'debug: mine\n');
  await addRepository(set, url);
  const copy = async (body: object) => ann.call<InputSet & ErrorBody>('POST', '/inputSet', { projectId: 'default', copyOf: set, ...body });
  await run(set, 'Nothing.');
  const { status, body: whole } = await copy({});
  expect(status).toBe(201);
  const { body: original } = await ann.call<InputSet>('GET', `/inputSet/${set}`);
  expect(whole).toMatchObject({ git: original.git, files: original.files, sealedAt: null });
  const { body: without } = await copy({ withoutRepository: true });
  expect(without).toMatchObject({ git: null, files: [{ path: 'config.yml' }] });
  expect((await addRepository(without.id, url)).set.git?.url).toBe(url);

  // The link that was left out and the repository's version of the own file are known to the copy.
  const id = await run(whole.id, block('link.md', 'x') + block('config.yml', 'debug: ours'));
  expect((await filesOf(id)).refused.map(({ path, reason }) => [path, reason])).toEqual([['link.md', 'not_replaceable']]);
  expect(await (await download(id, 'patch')).text()).toContain('-debug: false\n+debug: ours\n');

  const bob = await signUp(server.url);
  expect((await bob.call('POST', '/inputSet', { projectId: 'default', copyOf: set })).status).toBe(404);
});

test('G8.42 an agent reads files that are not in UTF-8, and its changes are written back in the files’ encodings', async () => {
  const name = 'encodings';
  await git.git(name, 'status');
  const folder = git.folderOf(name);
  const price = { 'price.csv': 'Windows-1251', 'old.txt': 'CP866', 'Цены и счета.txt': 'UTF-16LE', 'mark.csv': 'utf8' };
  const lines = ['Товар;Цена', 'Ёлка;1 250,50', 'Чайник;990', 'Санкт-Петербург;1', 'Москва;2', ''];
  const encoded = (path: string, text: string) =>
    iconv.encode(path in price && /Цены|mark/.test(path) ? `\ufeff${text}` : text, price[path as keyof typeof price]);
  for (const path of Object.keys(price)) await writeFile(join(folder, path), encoded(path, lines.join('\r\n')));
  const log = Buffer.concat([Buffer.from('строка журнала\nплохой '), Buffer.from('ff', 'hex'), Buffer.from(' байт\n')]);
  await writeFile(join(folder, 'app.log'), log);
  await git.git(name, 'add', '.');
  await git.git(name, 'commit', '-qm', 'Begin');
  await git.publish(name);
  const set = await newSet();
  const { set: added } = await addRepository(set, git.urlOf(name));
  expect(added.files.map(({ path, kind, encoding, replaced }) => [path, kind, encoding, replaced])).toEqual([
    ['app.log', 'text', 'UTF-8', 1],
    ['mark.csv', 'text', 'UTF-8 BOM', 0],
    ['old.txt', 'text', 'CP866', 0],
    ['price.csv', 'text', 'Windows-1251', 0],
    ['Цены и счета.txt', 'text', 'UTF-16LE', 0],
  ]);

  const changed = [...lines.slice(0, 2), 'Самовар;3 000', ...lines.slice(3)];
  const answers = Object.keys(price).map((path) => block(path, changed.slice(0, -1).join('\n')));
  const id = await run(set, [...answers, block('app.log', 'строка журнала\nплохой \ufffd байт\nконец')].join('\n'));
  expect(JSON.stringify(models.calls.at(-1)?.body.messages)).toContain('price.csv (68; read as Windows-1251)');
  const patch = Buffer.from(await (await download(id, 'patch')).arrayBuffer());
  await writeFile(join(folder, 'run.patch'), patch);
  await git.git(name, 'apply', 'run.patch');
  for (const path of Object.keys(price)) expect(await readFile(join(folder, path))).toEqual(encoded(path, changed.join('\r\n')));
  expect(await readFile(join(folder, 'app.log'))).toEqual(Buffer.concat([log, Buffer.from('конец\n')]));
  const archive = unzipSync(new Uint8Array(await (await download(id, 'archive')).arrayBuffer()));
  expect(Buffer.from(archive['app.log'] as Uint8Array)).toEqual(Buffer.concat([log, Buffer.from('конец\n')]));

  const read = async (path: string) => Buffer.from(await (await download(id, `files/content?path=${path}`)).arrayBuffer());
  expect(await read('mark.csv')).toEqual(encoded('mark.csv', changed.join('\r\n')));
  expect((await read('price.csv')).toString()).toContain('Самовар;3 000');

  await setTarget(git.urlOf(name));
  const published = await publish(id);
  expect([published.status, published.body.details]).toEqual([200, undefined]);
  expect((await download(id, 'bundle')).status).toBe(200);
});

test('G8.42 a text that the encoding of its file lacks is refused with a sentence', async () => {
  const set = await newSet();
  await put(set, 'price.csv', iconv.encode('Товар;Цена\nЁлка;1 250,50\n', 'Windows-1251'));
  const id = await run(set, block('price.csv', 'Товар → Цена'));
  const { files, refused } = await filesOf(id);
  expect([files, refused.map(({ path, reason }) => [path, reason])]).toEqual([[], [['price.csv', 'not_in_encoding']]]);
  expect(refused[0]?.message).toContain('The file keeps its encoding');
});

test('G8.42 a set that a node of an earlier version has copied keeps the encodings of its files', async () => {
  const set = await newSet();
  const before = 'Товар;Цена\nЁлка;1 250,50\n';
  const after = 'Товар;Цена\nЧайник;990\n';
  await put(set, 'price.csv', iconv.encode(before, 'Windows-1251'));
  await database.pool.query('UPDATE input_files SET encoding = NULL, replaced = 0 WHERE set_id = $1', [set]);
  const id = await run(set, block('price.csv', after.trimEnd()));
  const archive = unzipSync(new Uint8Array(await (await download(id, 'archive')).arrayBuffer()));
  expect(Buffer.from(archive['price.csv'] as Uint8Array)).toEqual(iconv.encode(after, 'Windows-1251'));
});
