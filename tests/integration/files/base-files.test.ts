import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ErrorBody } from '../../../contract/errors.ts';
import type { ExecutionFiles } from '../../../contract/executions/file.ts';
import type { Publication } from '../../../contract/executions/publishing.ts';
import type { ToolCall } from '../../../contract/executions/tool-call.ts';
import type { InputAddition, InputSet } from '../../../contract/input.ts';
import { startGitServer } from '../../support/services/git-server.ts';
import { setUp, setUpAccount, setUpModelServer, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const models = setUpModelServer();
const git = setUp(startGitServer, ({ close }) => close());
const { server } = setUpServerOnDatabase(() => ({ OPENAI_BASE_URL: models.url, ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on' }));
const ann = setUpAccount(server);

/** "цена" in windows-1251. */
const notUtf8 = Buffer.from('f6e5ede00a', 'hex');

async function makeRepository(name: string): Promise<string> {
  await git.git(name, 'status');
  const folder = git.folderOf(name);
  await mkdir(join(folder, 'src'));
  await writeFile(join(folder, 'src', 'cart.ts'), 'export const total = 1;\n');
  await writeFile(join(folder, 'README.md'), '# Shop\n');
  await writeFile(join(folder, 'config.yml'), 'debug: false\n');
  await writeFile(join(folder, 'data.csv'), notUtf8);
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
  expect(refused[0]?.message).toContain('not text in UTF-8');
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
