import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import iconv from 'iconv-lite';
import { beforeEach, expect, test } from 'vitest';
import type { ExecutionFiles } from '../../../contract/executions/file.ts';
import type { ToolCall } from '../../../contract/executions/tool-call.ts';
import type { InputSet } from '../../../contract/input.ts';
import { startGitServer } from '../../support/services/git-server.ts';
import type { ModelCall, Reply } from '../../support/services/model-server.ts';
import { setUp, setUpAccount, setUpModelServer, setUpServer } from '../../support/set-up/for-vitest.ts';

const run = promisify(execFile);
const models = setUpModelServer();
const git = setUp(startGitServer, ({ close }) => close());
const server = setUpServer(() => ({
  OPENAI_API_KEY: 'sk-server-wide',
  OPENAI_BASE_URL: models.url,
  ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on',
}));
const ann = setUpAccount(server);

const large = Array.from({ length: 12_000 }, (_, at) => `line ${at} of a file that is too large to be written as a whole`);
const mixed = 'one\r\ntwo\nthree\r\nfour\n';
const cyrillic = ['цена', 'скидка', 'итог', 'доставка и оплата заказа', 'возврат товара и денег'].join('\r\n');
const notText = Buffer.from('f600ede00a', 'hex');

async function makeSet(name: string): Promise<string> {
  await git.git(name, 'status');
  const folder = git.folderOf(name);
  await mkdir(join(folder, 'src'));
  await mkdir(join(folder, 'bin'));
  const files: Record<string, string | Buffer> = {
    ...{ 'large.txt': large.join('\n'), 'mixed.txt': mixed, 'words.txt': iconv.encode(cyrillic, 'windows-1251'), 'logo.bin': notText },
    ...{
      'old.ts': 'export const old = 1;\n',
      'src/a.ts': 'export const a = 1;\n',
      'run.sh': '#!/bin/sh\n',
      'lib.ts': 'export const lib = 1;\n',
    },
    ...{ 'bin/again': '#!/bin/sh\n', 'bin/edited': '#!/bin/sh\n', 'bin/over': '#!/bin/sh\n' },
  };
  for (const [path, content] of Object.entries(files)) await writeFile(join(folder, path), content);
  for (const path of ['src/a.ts', 'bin/again', 'bin/edited', 'bin/over']) await chmod(join(folder, path), 0o755);
  await symlink('old.ts', join(folder, 'link.ts'));
  await git.git(name, 'add', '.');
  await git.git(name, 'commit', '-qm', 'Begin');
  await git.publish(name);
  const { id } = (await ann.call<InputSet>('POST', '/inputSet', { projectId: 'default' })).body;
  await ann.call('POST', `/inputSet/${id}/repository`, { url: git.urlOf(name) });
  return id;
}

type Scripted = { name: string; [argument: string]: unknown };
const calling = (calls: readonly Scripted[]): Exclude<Reply, { kind: 'hang' }> => ({
  kind: 'calls',
  calls: calls.map(({ name, ...args }, at) => ({ id: `c${at}`, name, arguments: JSON.stringify(args) })),
});
const turnOf = ({ body }: ModelCall) => body.messages.filter(({ role }) => role === 'assistant').length;
const promptOf = ({ body }: ModelCall) => body.messages.map(({ content }) => content).join('\n');
const callsOf = async (id: string) => (await ann.call<ToolCall[]>('GET', `/PipelineExecution/${id}/calls?limit=100`)).body;
const download = async (id: string, what: string) => {
  const answer = await fetch(`${server.url}/api/PipelineExecution/${id}/${what}`, {
    headers: { authorization: `Bearer ${ann.accessToken}` },
  });
  return Buffer.from(await answer.arrayBuffer());
};

/** Runs one developer with these turns, and returns its calls: `tool state`, and the results. */
async function play(setId: string, turns: readonly (readonly Scripted[])[]) {
  models.answer((call) => {
    const turn = turns[turnOf(call)];
    return turn ? calling(turn) : { kind: 'text', text: 'Done.' };
  });
  const { id } = await ann.start(await ann.pipeline('developer'), 'Change them', { inputSetId: setId });
  expect(await ann.until(id, ({ status }) => status === 'completed' || status === 'failed')).toMatchObject({ status: 'completed' });
  const calls = await callsOf(id);
  return { id, states: calls.map(({ tool, state }) => `${tool} ${state}`), results: calls.map(({ result }) => result ?? '') };
}

beforeEach(() => ann.call('PUT', '/project/default', { testCommand: '' }));

test('C1.02 C1.07 C1.09 a step edits, moves, deletes and adds files of a repository, and the patch of its edits applies byte for byte', async () => {
  const set = await makeSet('changes');
  const { id, states, results } = await play(set, [
    [
      { name: 'edit_file', path: 'large.txt', old: `${large[11_000]}\n${large[11_001]}`, new: `${large[11_000]}\nnew\n${large[11_001]}` },
      { name: 'edit_file', path: 'mixed.txt', old: 'two\nthree', new: 'two\n2.5\nthree' },
      { name: 'edit_file', path: 'words.txt', old: 'скидка', new: 'скидка 5 %\nналог' },
      { name: 'write_file', path: 'new.ts', content: 'export {};\n', executable: true },
      { name: 'move_file', from: 'src/a.ts', to: 'src/b.ts' },
      { name: 'move_file', from: 'logo.bin', to: 'img/logo.bin' },
      { name: 'delete_file', path: 'old.ts' },
      { name: 'write_file', path: 'run.sh', executable: true },
    ],
    [
      { name: 'edit_file', path: 'src/b.ts', old: 'a = 1', new: 'a = 2' },
      { name: 'move_file', from: 'src/b.ts', to: 'src/c.ts' },
      { name: 'list_files', pattern: '**/*.ts' },
      { name: 'read_file', path: 'old.ts' },
      { name: 'search_files', query: 'export const \\w+ = [12]', regex: true },
      { name: 'read_file', path: 'large.txt', from: 11_001, lines: 3 },
      { name: 'find_changes' },
    ],
  ]);
  expect(states.flatMap((state, at) => (state.endsWith('done') ? [] : [`${state}: ${results[at]}`]))).toEqual([
    'read_file failed: There is no file old.ts.',
  ]);
  expect(results[10]).toBe('lib.ts (22)\nlink.ts (symbolic link)\nnew.ts (11)\nsrc/c.ts (20)');
  expect(results[11]).toBe('There is no file old.ts.');
  expect(results[12]).toBe('lib.ts\n1: export const lib = 1;\nsrc/c.ts\n1: export const a = 2;');
  expect(results[13]).toContain(`11001\t${large[11_000]}\n11002\tnew\n11003\t${large[11_001]}`);
  expect(results[14]?.split('\n')).toEqual([
    'renamed: logo.bin → img/logo.bin (Developer)',
    'changed: large.txt (Developer)',
    'changed: mixed.txt (Developer)',
    'added: new.ts 755 (Developer)',
    'deleted: old.ts (Developer)',
    'changed: run.sh 755 (Developer)',
    'renamed: src/a.ts → src/c.ts (Developer)',
    'changed: words.txt (Developer)',
  ]);
  const folder = git.folderOf('changes');
  await writeFile(join(folder, '../changes.patch'), await download(id, 'patch'));
  await run('git', ['-C', folder, 'apply', '--include=large.txt', '--include=mixed.txt', '--include=words.txt', '../changes.patch']);
  expect(await readFile(join(folder, 'mixed.txt'), 'utf8')).toBe('one\r\ntwo\n2.5\nthree\r\nfour\n');
  expect(iconv.decode(await readFile(join(folder, 'words.txt')), 'windows-1251')).toBe(cyrillic.replace('скидка', 'скидка 5 %\r\nналог'));
  expect(await readFile(join(folder, 'large.txt'), 'utf8')).toBe(large.toSpliced(11_001, 0, 'new').join('\n'));
});

test('C1.02 C2.03 an edit and a whole new text keep the mode of a file, and a file that is deleted and written again has the mode of a new one', async () => {
  const set = await makeSet('modes');
  const { id, states } = await play(set, [
    [
      { name: 'edit_file', path: 'bin/edited', old: '#!/bin/sh', new: '#!/bin/bash' },
      { name: 'write_file', path: 'bin/over', content: '#!/bin/bash\n' },
      { name: 'delete_file', path: 'bin/again' },
      { name: 'delete_file', path: 'src/a.ts' },
    ],
    [
      { name: 'write_file', path: 'bin/again', content: '#!/bin/bash\n' },
      { name: 'write_file', path: 'src/a.ts', content: '#!/bin/bash\n', executable: true },
    ],
  ]);
  expect(states.filter((state) => !state.endsWith('done'))).toEqual([]);
  await writeFile(join(git.folderOf('modes'), '../modes.patch'), await download(id, 'patch'));
  await run('git', ['-C', git.folderOf('modes'), 'apply', '--index', '../modes.patch']);
  const listed = await git.git('modes', 'ls-files', '-s', 'bin', 'src');
  expect(listed.split('\n').map((line) => line.replace(/ \w{40} 0\t/, ' '))).toEqual([
    '100644 bin/again',
    '100755 bin/edited',
    '100755 bin/over',
    '100755 src/a.ts',
  ]);
});

test('C1.01 C1.07 an impossible file change is refused with the reason, and changes nothing', async () => {
  const set = await makeSet('refused');
  const { id, states, results } = await play(set, [
    [
      { name: 'edit_file', path: 'lib.ts', old: 'x'.repeat(150_000), new: '' },
      { name: 'edit_file', path: 'lib.ts', old: '', new: 'x' },
      { name: 'edit_file', path: 'lib.ts', old: 'export const bib = 1;', new: '' },
      { name: 'edit_file', path: 'large.txt', old: 'too large', new: '' },
      { name: 'edit_file', path: 'link.ts', old: 'a', new: 'b' },
      { name: 'edit_file', path: 'logo.bin', old: 'a', new: 'b' },
      { name: 'edit_file', path: 'words.txt', old: 'цена', new: '☃' },
      { name: 'edit_file', path: '../out.ts', old: 'a', new: 'b' },
      { name: 'write_file', path: '../out.ts', content: '' },
      { name: 'write_file', path: 'src', content: '' },
      { name: 'write_file', path: 'logo.bin', content: 'text' },
      { name: 'delete_file', path: 'link.ts' },
      { name: 'delete_file', path: 'src' },
      { name: 'delete_file', path: 'none.ts' },
    ],
    [
      { name: 'move_file', from: 'lib.ts', to: 'old.ts' },
      { name: 'move_file', from: 'lib.ts', to: 'link.ts' },
      { name: 'move_file', from: 'lib.ts', to: '../lib.ts' },
      { name: 'move_file', from: 'lib.ts', to: 'OLD.ts' },
      { name: 'move_file', from: 'src', to: 'lib' },
      { name: 'move_file', from: 'link.ts', to: 'l.ts' },
      { name: 'move_file', from: 'lib.ts', to: 'old.ts/lib.ts' },
      { name: 'search_files', query: `(${'a'.repeat(10_000)}`, regex: true },
      { name: 'search_files', query: '(?<=a)b', regex: true },
      { name: 'search_files', query: ' ' },
      { name: 'list_files', pattern: '*'.repeat(1_000) },
      { name: 'read_file', path: 'lib.ts', from: 5 },
      { name: 'write_file', path: 'long.txt', content: 'x'.repeat(300_000) },
      { name: 'write_file', path: 'lib.ts' },
    ],
    [
      { name: 'edit_file', path: 'lib.ts', old: 'x'.repeat(1024 * 1024), new: '' },
      { name: 'read_file', path: 'none.ts' },
    ],
  ]);
  expect(results[27]).toBe('The arguments do not fit: content');
  for (const at of [26, 28]) expect(results[at]).toContain('more than 256 KiB, so it was not carried out');
  expect(results[29]).toBe('There is no file none.ts.');
  expect(new Set(states.map((state) => state.split(' ')[1]))).toEqual(new Set(['failed']));
  expect(results[0]).toContain('may have 100000 characters');
  expect(results[2]).toBe('lib.ts does not contain this text exactly. The nearest lines, with their numbers:\n1\texport const lib = 1;');
  expect(results[3]).toMatch(/contains this text \d+ times, at lines 1, 2, 3,/);
  for (const at of [5, 10]) expect([at, results[at]]).toEqual([at, expect.stringContaining('The run began with a file at this path')]);
  for (const at of [4, 11, 19])
    expect([at, results[at]]).toEqual([at, expect.stringContaining('link.ts is known by name only (symbolic link)')]);
  expect(results[12]).toBe('src is a folder. Name a file.');
  expect(results[14]).toBe('There is a file old.ts already. Delete it first, or choose another name.');
  expect(results[21]).toBe('`query` may have 1000 characters. Use a shorter one.');
  expect(results[22]).toContain('The expression is not valid in RE2');
  const { body } = await ann.call<ExecutionFiles>('GET', `/PipelineExecution/${id}/files`);
  expect(body.files).toEqual([]);
});

test('C1.07 a deleted file is written again, and a move to another spelling of a name is made', async () => {
  const set = await makeSet('again');
  const { states, results } = await play(set, [
    [
      { name: 'delete_file', path: 'old.ts' },
      { name: 'write_file', path: 'old.ts', content: 'export const again = 1;\n' },
      { name: 'move_file', from: 'lib.ts', to: 'Lib.ts' },
      { name: 'delete_file', path: 'src/a.ts' },
      { name: 'write_file', path: 'src', content: 'a file in the place of the folder\n' },
      { name: 'find_changes' },
      { name: 'search_files', query: 'again', context: 20 },
    ],
  ]);
  expect(results[6]).toBe('old.ts\n1: export const again = 1;\n[`context` may be 10 lines.]');
  expect(new Set(states.map((state) => state.split(' ')[1]))).toEqual(new Set(['done']));
  expect(results[5]?.split('\n')).toEqual([
    'renamed: lib.ts → Lib.ts (Developer)',
    'changed: old.ts (Developer)',
    'added: src (Developer)',
    'deleted: src/a.ts (Developer)',
  ]);
});

test('C6.06 links, submodules and pointers of Git LFS are listed as such, and neither read nor changed', async () => {
  await makeSet('named');
  const folder = git.folderOf('named');
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'4d'.repeat(32)}\nsize 12345\n`;
  await writeFile(join(folder, 'model.bin'), pointer);
  await git.git('named', 'add', '.');
  await git.git('named', 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},lib`);
  await git.git('named', 'commit', '-qm', 'Add');
  await git.publish('named');
  const { id: set } = (await ann.call<InputSet>('POST', '/inputSet', { projectId: 'default' })).body;
  await ann.call('POST', `/inputSet/${set}/repository`, { url: git.urlOf('named') });
  const { results, states } = await play(set, [
    [
      { name: 'list_files', pattern: '{lib,link.ts,model.bin}' },
      { name: 'read_file', path: 'model.bin' },
      { name: 'read_file', path: 'lib' },
      { name: 'edit_file', path: 'link.ts', old: 'old.ts', new: 'lib.ts' },
      { name: 'write_file', path: 'model.bin', content: 'x' },
    ],
  ]);
  expect(results[0]).toBe('lib (submodule)\nlink.ts (symbolic link)\nmodel.bin (pointer of Git LFS)');
  expect(states.slice(1)).toEqual(['read_file failed', 'read_file failed', 'edit_file failed', 'write_file failed']);
  for (const [at, what] of [
    'model.bin is known by name only (pointer',
    'lib is known by name only (submodule',
    'link.ts is known',
  ].entries())
    expect(results[at + 1]).toContain(what);
  expect(results[4]).toContain('model.bin is known by name only');
});

test('C1.06 when two agents change one file, the second agent gets the changes, and an edit is made if its text still exists', async () => {
  const set = await makeSet('parallel');
  const { body: made } = await ann.call<{ id: string }>('POST', '/Pipeline', {
    ...{ name: 'Two', projectId: 'default', maxParallel: 4 },
    steps: ['analyst', 'developer', 'qa'].map((name) => ({ name, agentId: ann.agent(name).id, nodeId: name })),
    links: ['developer', 'qa'].map((to) => ({ id: to, from: 'analyst', to })),
  });
  const isQa = (call: ModelCall) => promptOf(call).includes('second agent');
  await ann.call('PUT', `/nuroagent/${ann.agent('qa').id}`, { configuration: { systemPrompt: 'You are the second agent.' } });
  const isAnalyst = (call: ModelCall) => promptOf(call).includes('first agent');
  await ann.call('PUT', `/nuroagent/${ann.agent('analyst').id}`, { configuration: { systemPrompt: 'You are the first agent.' } });
  models.answer((call) => {
    if (isAnalyst(call)) return { kind: 'text', text: 'Begin.' };
    return turnOf(call) === 0 ? calling([{ name: 'read_file', path: 'mixed.txt' }]) : { kind: 'hang' };
  });
  const { id } = await ann.start(made as never, 'Change them', { inputSetId: set });
  const waiting = (isOfQa: boolean, turn: number) =>
    expect.poll(() => models.calls.some((call) => !isAnalyst(call) && isQa(call) === isOfQa && turnOf(call) === turn)).toBe(true);
  const next = async (isOfQa: boolean, turn: number, reply: Exclude<Reply, { kind: 'hang' }>) => {
    await waiting(isOfQa, turn);
    models.release(reply, (call) => !isAnalyst(call) && isQa(call) === isOfQa && turnOf(call) === turn);
  };
  await waiting(true, 1);
  await next(false, 1, calling([{ name: 'edit_file', path: 'mixed.txt', old: 'two', new: 'TWO' }]));
  await waiting(false, 2);
  await next(
    true,
    1,
    calling([
      { name: 'write_file', path: 'mixed.txt', content: 'all new\n' },
      { name: 'edit_file', path: 'mixed.txt', old: 'four', new: 'FOUR' },
      { name: 'delete_file', path: 'mixed.txt' },
    ]),
  );
  await waiting(true, 2);
  const calls = await callsOf(id);
  const last = calls.filter(({ tool }) => ['write_file', 'edit_file', 'delete_file'].includes(tool));
  expect(last.map(({ tool, state }) => `${tool} ${state}`)).toEqual([
    'edit_file done',
    'write_file failed',
    'edit_file done',
    'delete_file done',
  ]);
  expect(last[1]?.result).toBe(
    'Not carried out: Developer has changed mixed.txt since you last saw it, at lines 2. Read it again, then decide.',
  );
  const block = (path: string, text: string) => `\`\`\`text path=${path}\n${text}\n\`\`\`\n`;
  await next(true, 2, { kind: 'text', text: block('lib.ts', 'of the second agent') });
  await expect
    .poll(async () => (await ann.call<ExecutionFiles>('GET', `/PipelineExecution/${id}/files`)).body.files.map(({ path }) => path), {
      timeout: 10_000,
    })
    .toContain('lib.ts');
  // The first agent has not seen the second one's version of lib.ts.
  await next(false, 2, { kind: 'text', text: `${block('lib.ts', 'of the first agent')}${block('only.ts', 'new')}` });
  expect(await ann.until(id, ({ status }) => status === 'completed')).toMatchObject({ status: 'completed' });
  const { files, refused } = (await ann.call<ExecutionFiles>('GET', `/PipelineExecution/${id}/files`)).body;
  expect(files.map(({ path }) => path)).toContain('only.ts');
  expect(refused.map(({ path, reason }) => `${path} ${reason}`)).toEqual(['lib.ts changed_meanwhile']);
  expect(String(await download(id, 'files/content?path=lib.ts'))).toContain('of the second agent');
});

test('C1.08 an agent has the tools that its settings allow, and files of an answer are refused without the right to change any', async () => {
  const set = await makeSet('access');
  const work = (fileAccess: string) =>
    ann.call('POST', '/nuroagent/api-configuration', {
      ...{ agentId: ann.agent('developer').id, providerType: 'openai' },
      work: { fileAccess, runsTests: false, maxTurns: null, maxCalls: null },
    });
  const offered = () => ((models.calls.at(-1)?.body.tools ?? []) as { function: { name: string } }[]).map(({ function: { name } }) => name);
  models.answer({ kind: 'text', text: '```ts path=new.ts\nexport {};\n```' });
  const pipeline = await ann.pipeline('developer');
  const expected: [string, string[], string[]][] = [
    ['none', [], ['new.ts no_access']],
    ['read', ['list_files', 'read_file', 'search_files', 'find_changes'], ['new.ts no_access']],
  ];
  for (const [access, tools, refused] of expected) {
    expect((await work(access)).status).toBe(201);
    const { id } = await ann.start(pipeline, 'Change them', { inputSetId: set });
    await ann.until(id, ({ status }) => status === 'completed');
    expect(offered()).toEqual(tools);
    const { body } = await ann.call<ExecutionFiles>('GET', `/PipelineExecution/${id}/files`);
    expect(body.files).toEqual([]);
    expect(body.refused.map(({ path, reason }) => `${path} ${reason}`)).toEqual(refused);
  }
  expect((await work('write')).status).toBe(201);
});
