import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { ErrorBody } from '../../../contract/errors.ts';
import type { PullRequest } from '../../../contract/executions/file.ts';
import type { GitTargetUpdate, ProjectGitTarget, Publication, PublicationPlan } from '../../../contract/executions/publishing.ts';
import type { InputSet } from '../../../contract/input.ts';
import { signUp } from '../../support/run-account.ts';
import { type ApiCall, startGitServer } from '../../support/services/git-server.ts';
import { startHookReceiver } from '../../support/services/hook-receiver.ts';
import { setUp, setUpAccount, setUpModelServer, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const models = setUpModelServer();
const git = setUp(startGitServer, ({ close }) => close());
const receiver = setUp(startHookReceiver, ({ close }) => close());
const { database, server } = setUpServerOnDatabase(() => ({ OPENAI_BASE_URL: models.url, ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on' }), {
  ownProcess: 'One node is killed.',
});
const ann = setUpAccount(server);
/** The requests that the Git server was asked to open. */
let opened: Record<string, unknown>[];

beforeEach(() => {
  opened = [];
  git.answerApi(gitea);
});

/** Answers as Gitea does. */
function gitea({ method, url, body }: ApiCall) {
  const requests = opened.map((one, index) => ({
    ...{ html_url: `https://git.example.com/pulls/${index + 1}`, number: index + 1, title: one.title, head: { ref: one.head } },
  }));
  if (method === 'GET') return { status: 200, body: requests };
  if (!url.endsWith('/pulls') || body === null) return { status: 404, body: { message: 'Not Found' } };
  opened.push(body);
  return {
    ...{
      status: 201,
      body: { html_url: `https://git.example.com/pulls/${opened.length}`, number: opened.length, head: { ref: body.head } },
    },
  };
}

async function makeRepository(name: string): Promise<string> {
  await git.git(name, 'status');
  await mkdir(join(git.folderOf(name), 'src'));
  await writeFile(join(git.folderOf(name), 'src', 'cart.ts'), 'export const total = 1;\n');
  await git.git(name, 'add', '.');
  await git.git(name, 'commit', '-qm', 'Begin');
  await git.publish(name);
  return git.git(name, 'rev-parse', 'HEAD');
}

const file = (path: string, content: string) => `\`\`\`ts path=${path}\n${content}\`\`\`\n`;

/** A run whose developer wrote these files, on a repository. */
async function runWith(answer: string, url: string | null, task = 'Make the total two'): Promise<string> {
  const { body: set } = await ann.call<InputSet>('POST', '/inputSet', { projectId: 'default' });
  if (url) expect((await ann.call('POST', `/inputSet/${set.id}/repository`, { url })).status).toBe(200);
  models.answer({ kind: 'text', text: answer });
  const { id } = await ann.start(await ann.pipeline('developer'), task, url ? { inputSetId: set.id } : {});
  await ann.until(id, ({ status }) => status === 'completed');
  return id;
}

const setTarget = (given: Partial<GitTargetUpdate> & { url: string }) =>
  ann.call<ProjectGitTarget>('PUT', '/project/default/git-target', { baseBranch: 'main', forge: 'gitea', token: 'token-f00d', ...given });
const publish = <T = Publication>(id: string, body = {}) => ann.call<T>('POST', `/PipelineExecution/${id}/publish`, body);
const refusal = async (id: string, body = {}) => {
  const { status, body: failed } = await publish<ErrorBody>(id, body);
  return { status, code: failed.code, message: failed.message, details: failed.details };
};
const remote = async (name: string, ...args: string[]) => {
  await git.git(name, 'fetch', '-q', '-p', git.urlOf(name), '+refs/heads/*:refs/remotes/origin/*');
  return git.git(name, ...args);
};

test('G3.20 a project has a repository with a token that is encrypted, never returned, and bound to its host', async () => {
  const url = git.urlOf('ann/target');
  const { status, body } = await setTarget({ url: `${url}/` });
  expect([status, body.target]).toMatchObject([200, { url, baseBranch: 'main', prefix: 'artel/', hasToken: true, tokenLast4: 'f00d' }]);
  expect(JSON.stringify(body)).not.toContain('token-f00d');
  const stored = await database.pool.query<{ token_sealed: string }>('SELECT token_sealed FROM git_targets');
  expect(stored.rows.map((row) => row.token_sealed)).not.toContainEqual(expect.stringContaining('token-f00d'));
  const kept = await ann.call<ProjectGitTarget>('PUT', '/project/default/git-target', {
    url: git.urlOf('ann/other'),
    baseBranch: 'main',
    forge: 'none',
  });
  expect(kept.body.target).toMatchObject({ hasToken: true, forge: 'none' });
  const other = { url: 'http://localhost:1/ann/shop', baseBranch: 'main', forge: 'none' };
  const moved = await ann.call<ProjectGitTarget>('PUT', '/project/default/git-target', other);
  expect(moved.body.target).toMatchObject({ hasToken: false, tokenLast4: null });
  const wrong = [
    'no address',
    'https://git.example.com/shop?private_token=f00d',
    'ssh://git@git.example.com/shop',
    'https://ann:secret@git.example.com/shop',
    'http://169.254.169.254/shop',
  ];
  for (const address of wrong) expect((await setTarget({ url: address })).status).toBe(422);
  for (const baseBranch of ['', '-f', 'a..b', 'a b', 'main.lock', 'a~1', 'refs/../x', 'main/'])
    expect((await setTarget({ url, baseBranch })).status, baseBranch).toBe(400);
  await ann.call('DELETE', '/project/default/git-target');
  expect((await ann.call<ProjectGitTarget>('GET', '/project/default/git-target')).body).toEqual({ target: null });
});

test('G3.21 G3.26 a run is pushed as one commit to a branch of its own, with a draft pull request; again changes nothing', async () => {
  const base = await makeRepository('ann/shop');
  const url = git.urlOf('ann/shop');
  await setTarget({ url });
  const id = await runWith(file('src/cart.ts', 'export const total = 2;\n'), url);
  const plan = await ann.call<PublicationPlan>('GET', `/PipelineExecution/${id}/publication`);
  const branch = `artel/make-the-total-two-${id.slice(-12)}`;
  expect(plan.body).toMatchObject({ branch, files: 1, automation: [], publication: null, target: { url } });

  const { status, body } = await publish(id);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    url,
    branch,
    baseSha: base,
    pullRequest: { url: 'https://git.example.com/pulls/1', number: 1 },
    problem: null,
  });
  expect(await remote('ann/shop', 'rev-parse', `origin/${branch}`, `origin/${branch}^`, 'origin/main')).toBe(
    `${body.sha}\n${base}\n${base}`,
  );
  expect(await git.git('ann/shop', 'show', `${body.sha}:src/cart.ts`)).toBe('export const total = 2;');
  expect(opened).toMatchObject([{ head: branch, base: 'main', title: 'WIP: Make the total two' }]);
  const text = String(opened[0]?.body);
  expect(text).toContain('> Make the total two');
  expect(text).toContain('- Developer: `src/cart.ts`');
  expect(text).toContain('Not executed');
  expect(text).not.toContain('Nothing was pushed');
  const shown = await ann.call<PullRequest>('GET', `/PipelineExecution/${id}/pull-request`);
  expect(shown.body.description).not.toContain('Nothing was pushed');

  expect((await publish(id)).body).toMatchObject({ sha: body.sha, baseSha: base, pullRequest: body.pullRequest });
  expect(opened).toHaveLength(1);
  expect((await ann.call<PublicationPlan>('GET', `/PipelineExecution/${id}/publication`)).body.publication?.sha).toBe(body.sha);
});

test('K6.02 a receiver is told of a publication with its pull request once, also when the same is published again', async () => {
  await makeRepository('ann/told');
  const url = git.urlOf('ann/told');
  await setTarget({ url });
  const { body: hook } = await ann.call<{ id: string }>('POST', '/project/default/hooks', { url: receiver.url, events: ['published'] });
  const id = await runWith(file('src/cart.ts', 'export const total = 3;\n'), url);
  const { body } = await publish(id);
  await publish(id);
  const { event } = await receiver.until((call) => call.event.data.executionId === id);
  const { branch, sha, pullRequest } = body;
  expect(event).toMatchObject({ type: 'published', data: { branch, baseBranch: 'main', sha, requestUrl: pullRequest?.url } });
  expect((await ann.call<unknown[]>('GET', `/project/default/hooks/${hook.id}/deliveries`)).body).toHaveLength(1);
});

test('G3.26 a pull request that is not opened does not undo the push, says why, and is opened by the next try', async () => {
  await makeRepository('ann/late');
  const url = git.urlOf('ann/late');
  await setTarget({ url });
  const id = await runWith(file('src/late.ts', 'export const late = true;\n'), url);
  git.answerApi(({ method }) => (method === 'GET' ? { status: 200, body: [] } : { status: 422, body: { message: 'Only on Mondays.' } }));
  const first = await publish(id);
  expect(first.body).toMatchObject({ pullRequest: null, problem: expect.stringContaining('Only on Mondays.') });
  expect(await remote('ann/late', 'rev-parse', `origin/${first.body.branch}`)).toBe(first.body.sha);
  git.answerApi(() => ({ status: 403, body: { message: 'token does not have the scope' } }));
  expect((await publish(id)).body.problem).toContain('may not open pull requests');
  git.answerApi(gitea);
  expect((await publish(id)).body).toMatchObject({ sha: first.body.sha, pullRequest: { number: 1 }, problem: null });
});

test('G8.16 the token that a forge or a hook repeats is removed from every response, and is not stored', async () => {
  await makeRepository('ann/repeats');
  const url = git.urlOf('ann/repeats');
  await setTarget({ url });
  const id = await runWith(file('src/late.ts', 'export const late = true;\n'), url);
  git.answerApi(({ method }) =>
    method === 'GET' ? { status: 200, body: [] } : { status: 422, body: { message: 'The token token-f00d may not do this.' } },
  );
  expect((await publish(id)).body.problem).toContain('The token *** may not do this.');
  await git.addHook('ann/repeats', 'pre-receive', '#!/bin/sh\necho "token-f00d is refused" >&2\nexit 1\n');
  const other = await runWith(file('src/other.ts', 'export const other = true;\n'), url);
  const refused = await publish<ErrorBody>(other);
  expect(JSON.stringify(refused.body)).not.toContain('f00d');
  const stored = await database.pool.query('SELECT problem_text FROM publications');
  expect(JSON.stringify(stored.rows)).not.toContain('f00d');
});

test('G3.22 a server that is killed between push and pull request leaves one commit and one request', async () => {
  await makeRepository('ann/killed');
  const url = git.urlOf('ann/killed');
  await setTarget({ url });
  const id = await runWith(file('src/killed.ts', 'export const killed = true;\n'), url);
  const other = await server.beside();
  const asked = Promise.withResolvers<void>();
  git.answerApi(() => {
    asked.resolve();
    return new Promise(() => {});
  });
  const lost = fetch(`${other.url}/api/PipelineExecution/${id}/publish`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ann.accessToken}`, 'content-type': 'application/json' },
    body: '{}',
  }).catch(() => null);
  await asked.promise;
  await other.kill('SIGKILL');
  await lost;
  // Not even the push was noted.
  await database.pool.query('DELETE FROM publications WHERE execution_id = $1', [id]);
  git.answerApi(gitea);
  const again = await publish(id);
  expect(again.status).toBe(200);
  const log = await remote('ann/killed', 'log', '--format=%s', `origin/${again.body.branch}`);
  expect(log).toBe('Make the total two\nBegin');
  expect(opened).toHaveLength(1);
  await other.stop();
});

test('G3.23 G3.24 a run that cannot be published says why, and nothing is pushed', async () => {
  await makeRepository('ann/refuses');
  const url = git.urlOf('ann/refuses');
  await ann.call('DELETE', '/project/default/git-target');
  const workflow = file('.github/workflows/ci.yml', 'on: push\n');
  const id = await runWith(file('src/cart.ts', 'export const total = 2;\n') + workflow + file('notes.txt', 'New in the root.\n'), url);
  const plan = await ann.call<PublicationPlan>('GET', `/PipelineExecution/${id}/publication`);
  expect(plan.body).toMatchObject({ files: 3, automation: ['.github/workflows/ci.yml'], unlisted: ['notes.txt'] });
  expect(await refusal(id)).toMatchObject({ status: 422, code: 'publish_refused', details: { reason: 'no_target' } });
  await setTarget({ url, token: null });
  expect(await refusal(id, { automation: ['.github/workflows/ci.yml'] })).toMatchObject({
    status: 422,
    details: { reason: 'needs_token' },
  });
  await setTarget({ url });
  expect(await refusal(id)).toMatchObject({
    ...{ status: 422, details: { reason: 'automation', files: ['.github/workflows/ci.yml', 'notes.txt'] } },
    message: expect.stringContaining('Tick those that may go'),
  });
  await writeFile(join(git.folderOf('ann/refuses'), 'src', 'cart.ts'), 'export const total = 3;\n');
  await git.git('ann/refuses', 'commit', '-qam', 'Three');
  await git.publish('ann/refuses');
  expect(await refusal(id, { automation: ['.github/workflows/ci.yml'] })).toMatchObject({
    details: { reason: 'automation', files: ['notes.txt'] },
  });
  const ticked = { automation: ['.github/workflows/ci.yml', 'notes.txt'] };
  const { body: created } = await ann.call<{ key: string }>('POST', '/api-keys', { name: 'program', scopes: ['read', 'run'] });
  const program = ann.with(created.key);
  expect(await program.call('POST', `/PipelineExecution/${id}/publish`, ticked)).toMatchObject({
    ...{ status: 403, body: { code: 'key_not_allowed', details: { kind: 'automation' } } },
  });
  const conflict = await refusal(id, ticked);
  expect(conflict).toMatchObject({ status: 409, code: 'publish_conflict', details: { reason: 'base_moved', files: ['src/cart.ts'] } });
  expect(await remote('ann/refuses', 'branch', '-r', '--list', 'origin/artel/*')).toBe('');
  expect(opened).toEqual([]);
  expect((await refusal(await runWith('No file.', null), ticked)).details).toEqual({ reason: 'no_files' });

  const open = await ann.start(await ann.pipeline('developer', 'analyst'), 'Not yet', { pauseBetweenStepsMs: 60_000 });
  await ann.act(open.id, 'pause');
  expect(await refusal(open.id)).toMatchObject({ status: 409, code: 'illegal_state' });
  const bob = await signUp(server.url);
  expect((await bob.call('POST', `/PipelineExecution/${id}/publish`, {})).status).toBe(404);
});

test('G3.25 a run without a repository is taken along as a bundle that can be cloned', async () => {
  const id = await runWith(file('src/alone.ts', 'export const alone = true;\n'), null, 'Alone');
  const response = await fetch(`${server.url}/api/PipelineExecution/${id}/bundle`, {
    headers: { authorization: `Bearer ${ann.accessToken}` },
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-git-bundle']);
  expect(response.headers.get('content-disposition')).toContain(`artel-${id.slice(-12)}.bundle`);
  await git.git('alone', 'status');
  await writeFile(join(git.folderOf('alone'), 'run.bundle'), Buffer.from(await response.arrayBuffer()));
  await git.git('alone', 'clone', '-q', 'run.bundle', 'taken');
  expect(await git.git('alone', '-C', 'taken', 'show', 'HEAD:src/alone.ts')).toBe('export const alone = true;');
});

test('G3.25 a bundle on a private repository is made with the token of the project for that very repository, and with no other', async () => {
  const url = git.urlOf('ann/private');
  await makeRepository('ann/private');
  const id = await runWith(file('src/cart.ts', 'export const total = 2;\n'), url);
  git.protect('token-f00d');
  try {
    const bundle = () =>
      fetch(`${server.url}/api/PipelineExecution/${id}/bundle`, { headers: { authorization: `Bearer ${ann.accessToken}` } });
    await setTarget({ url: git.urlOf('ann/elsewhere') });
    const refused = await bundle();
    expect([refused.status, ((await refused.json()) as ErrorBody).details]).toEqual([422, { reason: 'needs_token' }]);
    await setTarget({ url });
    const made = await bundle();
    expect(made.status).toBe(200);
    await writeFile(join(git.folderOf('ann/private'), 'run.bundle'), Buffer.from(await made.arrayBuffer()));
    expect(await git.git('ann/private', 'bundle', 'verify', 'run.bundle')).toContain('The bundle requires this ref');
  } finally {
    git.protect(null);
    await ann.call('DELETE', '/project/default/git-target');
  }
});
