import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { ErrorBody } from '../../../contract/errors.ts';
import type { Fork } from '../../../contract/executions/fork.ts';
import type { FollowUp, GitTargetUpdate, Publication, PublicationPlan } from '../../../contract/executions/publishing.ts';
import type { ResultItem } from '../../../contract/executions/result.ts';
import type { InputSet } from '../../../contract/input.ts';
import { type ApiCall, startGitServer } from '../../support/services/git-server.ts';
import { setUp, setUpAccount, setUpModelServer, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';
import { storeChanges } from '../../support/store-changes.ts';

const models = setUpModelServer();
const git = setUp(startGitServer, ({ close }) => close());
const { database, server } = setUpServerOnDatabase(() => ({ OPENAI_BASE_URL: models.url, ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on' }));
const ann = setUpAccount(server);
let opened: { head: string; base: string }[];

beforeEach(() => {
  opened = [];
  git.answerApi(gitea);
});

const bob = { id: 2, login: 'bob' };

/** Answers as Gitea does, with one review of each request. */
function gitea({ method, url, body }: ApiCall) {
  if (url.includes('/reviews/5/comments')) {
    const comment = {
      ...{ id: 11, body: 'Please say why.\n~~~', user: bob, created_at: '2026-01-15T09:00:00Z' },
      ...{ path: 'src/cart.ts', position: 1, original_position: 0, resolver: null },
    };
    return { status: 200, body: [comment, { ...comment, id: 12, position: 2, body: 'Done', resolver: bob }] };
  }
  const review = { id: 5, body: '', user: bob, state: 'COMMENT', comments_count: 2, submitted_at: '2026-01-15T09:01:00Z' };
  if (url.includes('/reviews')) return { status: 200, body: url.includes('page=1') ? [review] : [] };
  if (url.endsWith('/comments')) return { status: 200, body: [] };
  const requestOf = (head: string, at: number) => ({ html_url: `https://git.example.com/pulls/${at}`, number: at, head: { ref: head } });
  if (method === 'GET') return { status: 200, body: opened.map(({ head }, index) => requestOf(head, index + 1)) };
  const { head, base } = body as { head: string; base: string };
  opened.push({ head, base });
  return { status: 201, body: requestOf(head, opened.length) };
}

/** A repository with the branches `main` and `release/2`, to which the project publishes. */
async function makeRepository(name: string, changes: Partial<GitTargetUpdate> = {}): Promise<string> {
  await git.git(name, 'status');
  await mkdir(join(git.folderOf(name), 'src'));
  await writeFile(join(git.folderOf(name), 'src', 'cart.ts'), 'export const total = 1;\n');
  await git.git(name, 'add', '.');
  await git.git(name, 'commit', '-qm', 'Begin');
  await git.git(name, 'checkout', '-qb', 'release/2');
  await git.git(name, 'commit', '-q', '--allow-empty', '-m', 'Release');
  await git.publish(name);
  const url = git.urlOf(name);
  const target = { url, baseBranch: 'main', forge: 'gitea', token: 'token-f00d', ...changes };
  expect((await ann.call('PUT', '/project/default/git-target', target)).status).toBe(200);
  return url;
}

const cart = (total: number) => `\`\`\`ts path=src/cart.ts\nexport const total = ${total};\n\`\`\`\n`;

/** A run on these files, whose developer writes this. */
async function runOn(inputSetId: string, answer: string, task = 'Make the total two'): Promise<string> {
  models.answer({ kind: 'text', text: answer });
  const { id } = await ann.start(await ann.pipeline('developer'), task, { inputSetId });
  await ann.until(id, ({ status }) => status === 'completed');
  return id;
}

async function runFrom(url: string, ref: string | undefined, answer = cart(2)): Promise<string> {
  const { body: set } = await ann.call<InputSet>('POST', '/inputSet', { projectId: 'default' });
  expect((await ann.call('POST', `/inputSet/${set.id}/repository`, { url, ...(ref && { ref }) })).status).toBe(200);
  return runOn(set.id, answer);
}

const planOf = async (id: string) => (await ann.call<PublicationPlan>('GET', `/PipelineExecution/${id}/publication`)).body;
const publish = async (id: string, body = {}) => {
  const answer = await ann.call<Publication & ErrorBody>('POST', `/PipelineExecution/${id}/publish`, body);
  expect(answer, answer.body.message).toMatchObject({ status: 200 });
  return answer.body;
};
const remote = async (name: string, ...args: string[]) => {
  await git.git(name, 'fetch', '-q', '-p', git.urlOf(name), '+refs/heads/*:refs/remotes/origin/*');
  return git.git(name, ...args);
};

test('C7.01 a run is published onto the branch that it began with, and a person may name another one', async () => {
  const url = await makeRepository('ann/onto');
  const id = await runFrom(url, 'release/2');
  const plan = await planOf(id);
  expect(plan.branches).toEqual([{ name: plan.branch, base: 'release/2', isNew: true }]);
  const pushed = await publish(id);
  expect(pushed.base).toBe('release/2');
  expect(opened).toEqual([{ head: pushed.branch, base: 'release/2' }]);
  expect(await remote('ann/onto', 'rev-parse', `${pushed.sha}^`)).toBe(await git.git('ann/onto', 'rev-parse', 'origin/release/2'));
  expect((await planOf(id)).branches).toEqual([{ name: pushed.branch, base: 'release/2', isNew: false }]);
  const refused = await ann.call<ErrorBody>('POST', `/PipelineExecution/${id}/publish`, { base: 'main' });
  expect([refused.status, refused.body.details]).toEqual([422, { reason: 'branch' }]);

  const other = await runFrom(url, 'release/2');
  expect((await publish(other, { base: 'main' })).base).toBe('main');
  const unknown = await ann.call<ErrorBody>('POST', `/PipelineExecution/${await runFrom(url, undefined)}/publish`, { branch: 'main' });
  expect([unknown.status, unknown.body.details]).toEqual([422, { reason: 'branch' }]);
});

test('C7.02 an edit goes to the new name of a file that the base has renamed, which the publication tells, and goes again when the run takes it back', async () => {
  const url = await makeRepository('ann/renamed', { baseBranch: 'release/2' });
  const lines = Array.from({ length: 12 }, (_, at) => `export const line${at} = ${at};\n`);
  const folder = git.folderOf('ann/renamed');
  await writeFile(join(folder, 'src', 'cart.ts'), lines.join(''));
  await git.git('ann/renamed', 'commit', '-qam', 'More');
  await git.publish('ann/renamed');
  const answer = lines.with(9, 'export const line9 = 90;\n').join('');
  const id = await runFrom(url, 'release/2', `\`\`\`ts path=src/cart.ts\n${answer}\`\`\`\n`);
  await git.git('ann/renamed', 'mv', 'src/cart.ts', 'src/basket.ts');
  await writeFile(join(folder, 'src', 'basket.ts'), lines.with(1, 'export const line1 = 10;\n').join(''));
  await git.git('ann/renamed', 'commit', '-qam', 'Rename');
  await git.publish('ann/renamed');
  const pushed = await publish(id);
  const renamed = [{ path: 'src/basket.ts', from: 'src/cart.ts' }];
  expect(pushed.renamed).toEqual(renamed);
  expect((await planOf(id)).publication?.renamed).toEqual(renamed);
  const both = lines.with(9, 'export const line9 = 90;\n').with(1, 'export const line1 = 10;\n').join('');
  expect(`${await remote('ann/renamed', 'show', `${pushed.sha}:src/basket.ts`)}\n`).toBe(both);
  expect(await git.git('ann/renamed', 'ls-tree', '-r', '--name-only', pushed.sha)).toBe('src/basket.ts');
  const bundle = await fetch(`${server.url}/api/PipelineExecution/${id}/bundle`, {
    headers: { authorization: `Bearer ${ann.accessToken}` },
  });
  await writeFile(join(folder, 'run.bundle'), Buffer.from(await bundle.arrayBuffer()));
  expect(await git.git('ann/renamed', 'bundle', 'list-heads', 'run.bundle')).toContain(`refs/heads/${pushed.branch}`);
  // A run that has taken all its files back is published again, and nothing of it stays.
  await storeChanges(database.pool, { id, stepId: (await ann.details(id)).steps[0]?.stepId ?? '', isNewer: true }, [
    { path: 'src/cart.ts', content: lines.join('') },
  ]);
  const undone = await publish(id);
  expect(await remote('ann/renamed', 'diff', '--stat', 'origin/release/2', undone.sha)).toBe('');
});

test('C7.03 the author is the person with a verified address, or who the project says, with a sign-off where it wants one', async () => {
  const url = await makeRepository('ann/author', { signsOff: true });
  const id = await runFrom(url, undefined);
  const plan = await planOf(id);
  expect([plan.author, plan.authorProblem]).toEqual([null, expect.stringContaining('not confirmed')]);
  const refused = await ann.call<ErrorBody>('POST', `/PipelineExecution/${id}/publish`, {});
  expect([refused.status, refused.body.details]).toEqual([422, { reason: 'author' }]);
  await database.pool.query('UPDATE users SET email_verified_at = now(), name = $2 WHERE id = $1', [ann.userId, 'Ann\nEve: <e@x>']);
  expect((await planOf(id)).authorProblem).toBeNull();
  const { sha } = await publish(id);
  const format = '--format=%an <%ae>|%cn|%(trailers:key=Signed-off-by,valueonly,separator=%x2C)|%(trailers:key=Co-authored-by,valueonly)';
  expect(await remote('ann/author', 'log', '-1', format, sha)).toBe(
    `Ann Eve: e@x <${ann.email}>|Ann Eve: e@x|Ann Eve: e@x <${ann.email}>|Artel <artel@artel.invalid>`,
  );
  expect((await publish(id)).sha).toBe(sha);
  const author = { name: 'Shop team', email: 'shop@example.com' };
  const target = await ann.call<{ target: object }>('PUT', '/project/default/git-target', {
    url,
    baseBranch: 'main',
    forge: 'none',
    author,
    signsOff: false,
  });
  expect(target.body.target).toMatchObject({ author, signsOff: false });
  const setTarget = async (given: object) =>
    (await ann.call<{ target: object }>('PUT', '/project/default/git-target', { url, baseBranch: 'main', forge: 'none', ...given })).body
      .target;
  expect(await setTarget({ signsOff: true, prefix: 'shop/' })).toMatchObject({ author, signsOff: true, prefix: 'shop/' });
  expect(await setTarget({ author: null })).toMatchObject({ author: null, signsOff: true, prefix: 'shop/' });
  expect(await setTarget({ author, signsOff: false, prefix: 'artel/' })).toMatchObject({ author, signsOff: false });
  expect((await publish(id)).sha).toBe(sha);
  const other = await publish(await runFrom(url, undefined));
  expect(await remote('ann/author', 'log', '-1', format, other.sha)).toBe(
    'Shop team <shop@example.com>|Shop team||Artel <artel@artel.invalid>',
  );
});

test('C7.04 a fork adds its files to the branch of its original as one commit, or goes to a branch of its own', async () => {
  const url = await makeRepository('ann/forked');
  const id = await runFrom(url, 'main', cart(2));
  const first = await publish(id);
  const { steps } = await ann.until(id, ({ status }) => status === 'completed');
  models.answer({ kind: 'text', text: cart(3) });
  const { body: answer } = await ann.call<Fork>('POST', `/PipelineExecution/${id}/fork`, { from: { stepId: steps[0]?.stepId } });
  const fork = answer.execution?.id ?? '';
  await ann.until(fork, ({ status }) => status === 'completed');
  const { branches } = await planOf(fork);
  expect(branches).toMatchObject([{ name: first.branch, base: 'main', isNew: false }, { isNew: true }]);
  const second = await publish(fork);
  expect(await remote('ann/forked', 'rev-parse', `origin/${first.branch}^`)).toBe(first.sha);
  expect(await git.git('ann/forked', 'show', `${second.sha}:src/cart.ts`)).toBe('export const total = 3;');
  expect(opened).toHaveLength(1);
  expect((await publish(id)).sha).toBe(first.sha);
  expect(await remote('ann/forked', 'rev-parse', `origin/${first.branch}`)).toBe(second.sha);
});

test('C7.05 a follow-up begins with the newest commit of a branch and its open comments, and is published to it', async () => {
  const url = await makeRepository('ann/followed');
  const id = await runFrom(url, 'main');
  const early = await ann.call<ErrorBody>('POST', `/PipelineExecution/${id}/follow-up`);
  expect([early.status, early.body.details]).toEqual([422, { reason: 'not_published' }]);
  const first = await publish(id);
  await remote('ann/followed', 'checkout', '-qb', first.branch, `origin/${first.branch}`);
  await writeFile(join(git.folderOf('ann/followed'), 'README.md'), '# By a reviewer\n');
  await git.git('ann/followed', 'add', '.');
  await git.git('ann/followed', 'commit', '-qm', 'A reviewer');
  await git.publish('ann/followed');
  const newest = await git.git('ann/followed', 'rev-parse', 'HEAD');

  git.protect('token-f00d');
  let second: Publication;
  try {
    const { status, body } = await ann.call<FollowUp>('POST', `/PipelineExecution/${id}/follow-up`);
    expect(status).toBe(201);
    expect(body).toMatchObject({ branch: first.branch, comments: 1, problem: null, set: { git: { url, ref: first.branch, sha: newest } } });
    expect(body.text).toContain('~~~~text\nsrc/cart.ts:1, bob:\nPlease say why.\n~~~\n~~~~');
    expect(body.set.files.map(({ path }) => path)).toEqual(['README.md', 'src/cart.ts']);
    const next = await runOn(body.set.id, cart(5), body.text);
    const { rows } = await database.pool.query('SELECT has_outside FROM executions WHERE id = $1', [next]);
    expect(rows).toEqual([{ has_outside: true }]);
    expect((await planOf(next)).branches[0]).toEqual({ name: first.branch, base: 'main', isNew: false });
    second = await publish(next);
    expect(second.pullRequest).toEqual(first.pullRequest);
    const { body: history } = await ann.call<ResultItem[]>('GET', '/ProjectResultHistory/project/default');
    expect(history.find((item) => item.pipelineExecutionId === next)?.followsExecutionId).toBe(id);
  } finally {
    git.protect(null);
  }
  const { body: listed } = await ann.call<ResultItem[]>('GET', '/ProjectResultHistory/project/default');
  expect(listed.find((item) => item.pipelineExecutionId === id)?.publishedBranch).toBe(first.branch);
  expect(await remote('ann/followed', 'log', '-2', '--format=%H', `origin/${first.branch}`)).toBe(`${second.sha}\n${newest}`);
});

test('C7.05 where the comments cannot be read, the follow-up says so and the person writes the task', async () => {
  const url = await makeRepository('ann/unread');
  const id = await runFrom(url, 'main');
  await publish(id);
  git.answerApi(() => ({ status: 403, body: { message: 'no scope for token-f00d' } }));
  const { status, body } = await ann.call<FollowUp>('POST', `/PipelineExecution/${id}/follow-up`);
  expect([status, body.text, body.comments]).toEqual([201, '', 0]);
  expect(body.problem).toMatch(/could not be read.*no scope for \*\*\*/);
});
