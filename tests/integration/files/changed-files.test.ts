import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import type { ErrorBody } from '../../../contract/errors.ts';
import type { ExecutionDetails, ExecutionStatistics } from '../../../contract/executions/execution.ts';
import type { ExecutionFiles, FileComparison, PullRequest } from '../../../contract/executions/file.ts';
import type { Fork } from '../../../contract/executions/fork.ts';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import type { Publication, PublicationPlan } from '../../../contract/executions/publishing.ts';
import type { InputSet } from '../../../contract/input.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { setUp } from '../../support/set-up/for-vitest.ts';
import { setUpRepositories } from '../../support/set-up/repositories.ts';
import { type StoredChange, storeChanges } from '../../support/store-changes.ts';
import { unzip } from '../../support/unzip.ts';

const { models, git, database, server, ann } = setUpRepositories();

const cart = Array.from({ length: 9 }, (_, at) => `export const item${at} = ${at};\n`).join('');
const notText = Buffer.from([0xf6, 0, 0xed, 0xe0, 0x0a]);
const windows = iconv.encode('Список покупок: хлеб, молоко, соль и спички.\n', 'windows-1251');

/** What the repository has: bytes and modes by path. */
const base: [path: string, content: string | Buffer, mode: number][] = [
  ['.github/workflows/ci.yml', 'on: push\n', 0o644],
  ['README.md', '# Shop\n', 0o644],
  ['build.sh', '#!/bin/sh\n', 0o644],
  ['data.csv', notText, 0o644],
  ['list.txt', windows, 0o644],
  ['src/cart.ts', cart, 0o644],
  ['tool.sh', '#!/bin/sh\nexit 0\n', 0o755],
];

async function makeRepository(name: string): Promise<string> {
  await git.git(name, 'status');
  for (const [path, content, mode] of base) {
    const file = join(git.folderOf(name), path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
    await chmod(file, mode);
  }
  await git.git(name, 'add', '.');
  await git.git(name, 'commit', '-qm', 'Begin');
  await git.publish(name);
  return git.urlOf(name);
}

const store = (id: string, stepId: string, stored: readonly StoredChange[]) => storeChanges(database.pool, { id, stepId }, stored);

const changes: StoredChange[] = [
  { path: '.github/workflows/ci.yml', removed: true },
  { path: 'README.md', removed: true },
  { path: 'build.sh', content: '#!/bin/sh\n', executable: true },
  { path: 'data.csv', removed: true },
  { path: 'assets/data.csv', movedFrom: 'data.csv' },
  { path: 'list.txt', removed: true },
  { path: 'docs/list.txt', content: 'Список покупок: хлеб, молоко, соль и спички.\n', movedFrom: 'list.txt' },
  { path: 'src/cart.ts', removed: true },
  { path: 'lib/cart.ts', content: `${cart}export const more = 9;\n`, movedFrom: 'src/cart.ts' },
  { path: 'tool.sh', content: '#!/bin/sh\nexit 0\n', executable: false },
  { path: 'gone.ts', removed: true },
];

const testCommand = 'find . -type f | sort; test -x build.sh && echo build; test -x tool.sh || echo no tool';

/** Runs a developer that makes the changes, and a tester with links that test for files. */
async function runOn(name: string): Promise<ExecutionDetails> {
  const url = await makeRepository(name);
  await ann.call('PUT', '/project/default/git-target', { url, baseBranch: 'main', forge: 'none', token: 'token-f00d' });
  const { body: set } = await ann.call<InputSet>('POST', '/inputSet', { projectId: 'default' });
  await ann.call('POST', `/inputSet/${set.id}/repository`, { url });
  await ann.call('PUT', '/project/default', { testCommand });
  const { body: pipeline } = await ann.call<Pipeline>('POST', '/Pipeline', {
    ...{ name, projectId: 'default', maxParallel: 1 },
    steps: ['developer', 'qa', 'analyst', 'prod-mgr', 'assistant'].map((agent) => ({
      name: agent,
      agentId: ann.agent(agent).id,
      nodeId: agent,
    })),
    links: [
      { id: 'a', from: 'developer', to: 'qa' },
      { id: 'b', from: 'qa', to: 'analyst', test: { is: 'fileExists', value: 'README.md' } },
      { id: 'c', from: 'qa', to: 'assistant', test: { is: 'fileExists', value: 'lib/cart.ts' } },
      { id: 'd', from: 'qa', to: 'prod-mgr' },
    ],
  });
  models.calls.length = 0;
  models.answer((call) => (call.number === 1 ? { kind: 'hang' } : { kind: 'text', text: 'Done.' }));
  const { id } = await ann.start(pipeline, 'Tidy the shop', { inputSetId: set.id });
  await models.call(1);
  const { steps } = await ann.details(id);
  await store(id, steps.find((step) => step.nodeId === 'developer')?.stepId ?? '', changes);
  models.release('Done.');
  const run = await ann.until(id, ({ status }) => status === 'completed');
  await ann.call('PUT', '/project/default', { testCommand: '' });
  return run;
}

const done = setUp(
  () => runOn('tidy'),
  async () => {},
);
const get = async <T>(path: string, account: RunAccount = ann) => (await account.call<T>('GET', `/PipelineExecution/${path}`)).body;
const download = async (path: string) =>
  Buffer.from(
    await (
      await fetch(`${server.url}/api/PipelineExecution/${path}`, { headers: { authorization: `Bearer ${ann.accessToken}` } })
    ).arrayBuffer(),
  );
const stepOf = (nodeId: string) => done.steps.find((step) => step.nodeId === nodeId);

test('C2.02 the list of files names removed files, renamed files with both paths, and new executables; only remaining files count', async () => {
  const { files } = await get<ExecutionFiles>(`${done.id}/files`);
  expect(
    files.map(({ path, change, from, similarity, executable, isBinary }) => [path, change, from, similarity, executable, isBinary]),
  ).toEqual([
    ['.github/workflows/ci.yml', 'removed', null, null, null, false],
    ['README.md', 'removed', null, null, null, false],
    ['assets/data.csv', 'renamed', 'data.csv', 100, null, true],
    ['build.sh', 'changed', null, null, true, false],
    ['docs/list.txt', 'renamed', 'list.txt', 100, null, false],
    ['lib/cart.ts', 'renamed', 'src/cart.ts', 90, null, false],
    ['tool.sh', 'changed', null, null, false, false],
  ]);
  expect(files.every(({ hasPrevious }) => hasPrevious)).toBe(true);
  const { files: counted } = await get<ExecutionStatistics>(`${done.id}/statistics`);
  expect(counted.count).toBe(5);
  expect((await ann.call('GET', `/PipelineExecution/${done.id}/files/content?path=README.md`)).status).toBe(404);
});

test('C2.02 a comparison shows the lines of a removed file, and those of a renamed one against its earlier path', async () => {
  const compare = (path: string) => get<FileComparison>(`${done.id}/files/comparison?path=${encodeURIComponent(path)}`);
  expect(await compare('README.md')).toMatchObject({
    change: 'removed',
    additions: 0,
    deletions: 1,
    diff: expect.stringContaining('-# Shop'),
  });
  expect(await compare('lib/cart.ts')).toMatchObject({ change: 'renamed', from: 'src/cart.ts', additions: 1, deletions: 0 });
  expect(await compare('src/cart.ts')).toMatchObject({ change: 'removed', deletions: 9 });
  expect(await compare('assets/data.csv')).toMatchObject({
    change: 'renamed',
    isBinary: true,
    diff: expect.stringContaining('similarity index 100%'),
  });
  expect(await compare('tool.sh')).toMatchObject({
    executable: false,
    diff: expect.stringContaining('old mode 100755\nnew mode 100644\n'),
  });
});

test('C2.02 C2.03 the pull request says it in words, and patch, bundle and branch make the same tree', async () => {
  const { id } = done;
  const { description, files } = await get<PullRequest>(`${id}/pull-request`);
  expect(files).toHaveLength(7);
  for (const line of [
    '- `README.md`: deleted, +0 −1',
    '- `lib/cart.ts`: renamed from `src/cart.ts`, +1 −0',
    '- `build.sh`: changed, now executable, +0 −0',
    '- `tool.sh`: changed, no longer executable, +0 −0',
    '- `assets/data.csv`: renamed from `data.csv`, not text',
  ])
    expect(description).toContain(line);

  await writeFile(join(git.folderOf('tidy'), 'run.patch'), await download(`${id}/patch`));
  await git.git('tidy', 'apply', '--index', 'run.patch');
  const applied = await git.git('tidy', 'write-tree');
  await writeFile(join(git.folderOf('tidy'), 'run.bundle'), await download(`${id}/bundle`));
  await git.git('tidy', 'fetch', '-q', 'run.bundle', '+refs/heads/*:refs/taken/*');
  const { branch } = await get<PublicationPlan>(`${id}/publication`);
  expect(await git.git('tidy', 'rev-parse', `refs/taken/${branch}^{tree}`)).toBe(applied);
});

test('C2.05 a file that runs by itself is removed only when a person has ticked it', async () => {
  const { id } = done;
  const plan = await get<PublicationPlan>(`${id}/publication`);
  expect([plan.files, plan.automation, plan.unlisted]).toEqual([7, ['.github/workflows/ci.yml'], []]);
  const refused = await ann.call<ErrorBody>('POST', `/PipelineExecution/${id}/publish`, {});
  expect([refused.status, refused.body.details]).toMatchObject([422, { reason: 'automation', files: ['.github/workflows/ci.yml'] }]);
  const pushed = await ann.call<Publication>('POST', `/PipelineExecution/${id}/publish`, { automation: plan.automation });
  expect(pushed.status).toBe(200);
  await git.git('tidy', 'fetch', '-q', git.urlOf('tidy'), '+refs/heads/*:refs/remotes/origin/*');
  expect(await git.git('tidy', 'ls-tree', '-r', '--name-only', pushed.body.sha)).toBe(
    ['assets/data.csv', 'build.sh', 'docs/list.txt', 'lib/cart.ts', 'tool.sh'].join('\n'),
  );
});

test('C2.04 ZIP, runner, links that test for a file, export and forks have no removed file, and moved ones with their bytes', async () => {
  const { id } = done;
  const zip = unzipSync(await download(`${id}/archive`));
  const left = ['assets/data.csv', 'build.sh', 'docs/list.txt', 'lib/cart.ts', 'tool.sh'];
  expect(Object.keys(zip)).toEqual(left);
  expect([zip['assets/data.csv'], zip['docs/list.txt']].map((bytes) => Buffer.from(bytes ?? []))).toEqual([notText, windows]);

  const log = (await download(`${id}/steps/${stepOf('qa')?.stepId}/test-log`)).toString();
  expect(log).toBe(`${left.map((path) => `./${path}\n`).join('')}build\nno tool\n`);
  expect(['analyst', 'assistant', 'prod-mgr'].map((name) => stepOf(name)?.status)).toEqual(['skipped', 'completed', 'skipped']);

  const { body: link } = await ann.call<{ path: string }>('POST', '/account/export-link');
  const exported = await unzip(new Uint8Array(await (await fetch(`${server.url}${link.path}`)).arrayBuffer()));
  const place = [...exported.keys()]
    .find((path) => path.includes(id.slice(-12)) && path.endsWith('/run.json'))
    ?.replace('run.json', 'files/');
  const ofRun = [...exported.keys()].filter((path) => path.startsWith(place ?? '?')).map((path) => path.slice(place?.length));
  expect(ofRun.toSorted()).toEqual(left);
  expect(exported.get(`${place}assets/data.csv`)).toEqual(notText);

  const from = { stepId: stepOf('assistant')?.stepId ?? '', round: 0, item: 0 };
  const forked = await ann.call<Fork>('POST', `/PipelineExecution/${id}/fork`, { graph: 'then', from });
  expect(forked.status).toBe(202);
  const fork = await ann.until(forked.body.execution?.id ?? '', ({ status }) => status === 'completed');
  const shown = async (run: string) => (await get<ExecutionFiles>(`${run}/files`)).files.map(({ path, change }) => `${change} ${path}`);
  expect(await shown(fork.id)).toEqual(await shown(id));
});

test('C2.04 a file that a run of the project has removed is new again in a later run', async () => {
  const bea = await signUp(server.url);
  const block = (path: string) => `\`\`\`ts path=${path}\n${cart}\`\`\`\n`;
  const run = async (answer: string, stored: StoredChange[]) => {
    models.calls.length = 0;
    models.answer({ kind: 'hang' });
    const { id } = await bea.start(await bea.pipeline('developer'), 'Change it');
    await models.call(1);
    await store(id, (await bea.details(id)).steps[0]?.stepId ?? '', stored);
    models.release(answer);
    await bea.until(id, ({ status }) => status === 'completed');
    return (await get<ExecutionFiles>(`${id}/files`, bea)).files.map(({ path, change, from }) => [path, change, from]);
  };
  expect(await run(`${block('a.ts')}\n${block('b.ts')}`, [])).toEqual([
    ['a.ts', 'added', null],
    ['b.ts', 'added', null],
  ]);
  const moved = [
    { path: 'a.ts', removed: true },
    { path: 'lib/a.ts', content: cart, movedFrom: 'a.ts' },
  ];
  expect(await run('Done.', moved)).toEqual([['lib/a.ts', 'renamed', 'a.ts']]);
  expect(await run(`${block('a.ts')}\n${block('b.ts')}`, [])).toEqual([
    ['a.ts', 'added', null],
    ['b.ts', 'changed', null],
  ]);
});
