import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import type { Project, ProjectStatistics } from '../../../contract/project.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const { database, server } = setUpServerOnDatabase();
let ann: RunAccount;

beforeEach(async () => {
  ann = await signUp(server.url);
});

const missing = '01a1fab3-094b-73bf-a485-a91fccff0c5d';
const projects = async (path = '') => (await ann.call<Project[]>('GET', `/project${path}`)).body;
const add = async (name: string) => (await ann.call<Project>('POST', '/project', { name })).body;

test('W7.01 a project is made with an empty canvas, once for each key, and the default one stays the first', async () => {
  const [first] = await projects();
  const headers = { 'idempotency-key': randomUUID() };
  const body = { name: ' Магазин ', description: 'Shop', status: 'archived', isDemo: true, userId: missing };
  const made = await ann.call<Project>('POST', '/project', body, headers);
  const { body: project } = made;
  expect(made).toMatchObject({
    status: 201,
    body: { name: 'Магазин', description: 'Shop', status: 'active', isDemo: false, userId: ann.userId },
  });
  expect((await ann.call<Project>('POST', '/project', body, headers)).body).toEqual(project);
  expect(await projects()).toEqual([first, project]);
  expect((await ann.call('GET', `/project/${project.id}/canvas`)).body).toEqual({ version: 1, nodes: {}, connections: {} });
  expect((await ann.call('GET', '/project/default')).body).toEqual(first);
});

test.each([
  ['POST', '/project', {}, 'name'],
  ['POST', '/project', { name: ' ' }, 'name'],
  ['PUT', '/project/default', { name: 'x'.repeat(201) }, 'name'],
  ['PATCH', '/project/default/status', { status: 'sold' }, 'status'],
  ['PATCH', '/project/default/status', { status: 5 }, 'status'],
  ['GET', '/project/status/sold', undefined, 'status'],
  ['GET', '/project/user/me', undefined, 'userId'],
  ['GET', '/project/active?limit=0', undefined, 'limit'],
  ['DELETE', '/project/default', undefined, 'id'],
])('W7.01 %s %s with %o is refused and names the field', async (method, path, body, field) => {
  const before = await projects();
  const refusal = await ann.call(method, path, body);
  expect(refusal).toMatchObject({ status: 400, body: { code: 'bad_request', errors: [{ path: field }] } });
  expect(await projects()).toEqual(before);
});

test('W7.01 name, description and status are changed, each alone', async () => {
  const [first] = await projects();
  await ann.call('PUT', '/project/default', { name: 'Новое имя' });
  await ann.call('PUT', `/project/${first?.id}`, { description: 'New words', status: 'archived' });
  const { body: changed } = await ann.call<Project>('PATCH', '/project/default/status', { status: 'onHold' });
  const { updatedAt } = changed;
  expect(changed).toEqual({ ...first, name: 'Новое имя', description: 'New words', status: 'onHold', updatedAt });
  expect(await projects()).toEqual([changed]);
});

test('W7.01 lists by status take a name or a number, and active ones have a list of their own', async () => {
  const [first] = await projects();
  const held = await add('Held');
  await ann.call('PATCH', `/project/${held.id}/status`, { status: 2 });
  for (const status of ['onHold', 'onhold', '2']) expect((await projects(`/status/${status}`)).map(({ id }) => id)).toEqual([held.id]);
  expect(await projects('/status/draft')).toEqual([]);
  expect(await projects('/active')).toEqual([first]);
  const page = await ann.call<Project[]>('GET', `/project/user/${ann.userId}?limit=1&offset=1`);
  expect([page.body.map(({ id }) => id), page.headers.get('x-total-count')]).toEqual([[held.id], '2']);
});

test('R15.01 the projects of another user are not listed', async () => {
  const bob = await signUp(server.url);
  expect(await ann.call('GET', `/project/user/${bob.userId}`)).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test('W7.01 a removed project takes canvas, pipelines, executions and history along, and the default one is found anew', async () => {
  const pipeline = await ann.pipeline('assistant');
  const run = await ann.start(pipeline, 'Short');
  await ann.until(run.id, ({ status }) => status === 'completed');
  const [result] = await ann.history();
  const next = await add('Next');
  expect(await ann.call('DELETE', `/project/${pipeline.projectId}`)).toMatchObject({ status: 204 });
  const gone = [
    ...[`/project/${pipeline.projectId}`, `/project/${pipeline.projectId}/canvas`, `/Pipeline/${pipeline.id}`],
    ...[`/PipelineExecution/${run.id}`, `/ProjectResultHistory/${result?.id}`, `/ProjectResultHistory/project/${pipeline.projectId}`],
  ];
  for (const path of gone) expect([path, (await ann.call('GET', path)).status]).toEqual([path, 404]);
  expect((await ann.call('GET', '/project/default')).body).toEqual(next);
  expect((await ann.call<unknown[]>('GET', '/nuroagent')).body).toEqual(ann.agents);
});

test('W7.01 the only project is not removed, also when the last two are removed at once', async () => {
  const [first] = await projects();
  const refusal = { status: 409, body: { code: 'conflict', errors: [{ path: 'id', message: expect.stringContaining('only project') }] } };
  expect(await ann.call('DELETE', `/project/${first?.id}`)).toMatchObject(refusal);
  const second = await add('Second');
  const answers = await Promise.all([first, second].map((project) => ann.call('DELETE', `/project/${project?.id}`)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409]);
  expect(await projects()).toHaveLength(1);
});

test('W7.01 a project is not removed while one of its executions has not ended', async () => {
  await add('Another');
  const pipeline = await ann.pipeline('assistant', 'qa');
  const run = await ann.start(pipeline, 'Long', { pauseBetweenStepsMs: 60_000 });
  await ann.act(run.id, 'pause');
  await ann.until(run.id, ({ status }) => status === 'paused');
  const refusal = { status: 409, body: { code: 'illegal_state', details: { status: 'paused' } } };
  expect(await ann.call('DELETE', `/project/${pipeline.projectId}`)).toMatchObject(refusal);
  await ann.act(run.id, 'stop');
  expect(await ann.call('DELETE', `/project/${pipeline.projectId}`)).toMatchObject({ status: 204 });
});

test('W7.01 statistics count the agents on the canvas, the pipelines and how their executions went', async () => {
  const statistics = async (id = 'default') => (await ann.call<ProjectStatistics>('GET', `/project/${id}/statistics`)).body;
  const { body: canvas } = await ann.call<{ nodes: Record<string, { type: string }> }>('GET', '/project/default/canvas');
  const totalAgents = Object.values(canvas.nodes).filter(({ type }) => type === 'agent').length;
  const none = { totalPipelines: 0, activePipelines: 0, totalExecutions: 0, successfulExecutions: 0, failedExecutions: 0 };
  const [project] = await projects();
  const lastActivity = project?.updatedAt;
  expect(await statistics()).toEqual({ totalAgents, activeAgents: totalAgents, ...none, averageExecutionTime: null, lastActivity });

  await database.pool.query('UPDATE agents SET status = 0 WHERE id = $1', [ann.agent('qa').id]);
  const cards = { twin: ann.agent('developer').id, stranger: 'no id', ghost: missing };
  const patches = Object.entries(cards).map(([id, serverAgentId]) => {
    return { op: 'set', collection: 'nodes', id, value: { id, type: 'agent', title: id, serverAgentId, x: 0, y: 0 } };
  });
  expect(await ann.call('PATCH', '/project/default/canvas', { baseVersion: 1, patches })).toMatchObject({ status: 200 });
  const pipelines: Pipeline[] = [await ann.pipeline('assistant'), await ann.pipeline('assistant', 'qa'), await ann.pipeline('qa')];
  const paused = { pauseBetweenStepsMs: 60_000 };
  const [done, held] = [await ann.start(pipelines[0] as Pipeline, 'Done'), await ann.start(pipelines[1] as Pipeline, 'Held', paused)];
  await ann.act(held.id, 'pause');
  await ann.until(held.id, ({ status }) => status === 'paused');
  const { steps } = await ann.until(done.id, ({ status }) => status === 'completed');
  await ann.call('DELETE', `/Pipeline/${pipelines[2]?.id}`);
  // The active time of a run holds that of its step, and what lies between the step and its change.
  const { activeMs } = (await ann.call<{ activeMs: number }>('GET', `/PipelineExecution/${done.id}/statistics`)).body;
  expect(activeMs).toBeGreaterThanOrEqual(steps[0]?.durationMs ?? Number.NaN);
  const counted = await statistics();
  expect(counted).toEqual({
    ...{ totalAgents, activeAgents: totalAgents - 1, totalPipelines: 2, activePipelines: 1 },
    ...{ totalExecutions: 2, successfulExecutions: 1, failedExecutions: 0 },
    averageExecutionTime: activeMs,
    lastActivity: expect.any(String),
  });
  expect(Date.parse(counted.lastActivity)).toBeGreaterThan(Date.parse(lastActivity ?? ''));
  await ann.act(held.id, 'stop');
  const { lastActivity: beforeCommand } = await statistics();
  await ann.call('POST', '/agentcommand/execute', { agentId: ann.agent('developer').id, request: 'Count me', projectId: 'default' });
  expect(Date.parse((await statistics()).lastActivity)).toBeGreaterThan(Date.parse(beforeCommand));
  const empty = await add('Empty');
  expect(await statistics(empty.id)).toMatchObject({ totalAgents: 0, ...none });
});

test('W7.01 W7.08 the owner’s sockets hear of every project that is made, changed and removed, and of who did it', async () => {
  const bob = await signUp(server.url);
  const [socket, strange] = [await ann.socket(), await bob.socket()];
  await socket.until(({ type }) => type === 'connected');
  const made = await ann.call<Project>('POST', '/project', { name: 'Heard' }, { 'x-client-id': 'tab-7' });
  const { id } = made.body;
  await ann.call('PUT', `/project/${id}`, { name: 'Changed' });
  await ann.call('PATCH', `/project/${id}/status`, { status: 'archived' });
  await ann.call('DELETE', `/project/${id}`);
  await socket.until(({ type, change }) => type === 'project_changed' && change === 'removed');
  const news = socket.messages.filter(({ type }) => type === 'project_changed');
  expect(news.map(({ change, origin, projectId }) => [change, origin, projectId])).toEqual([
    ['made', 'tab-7', id],
    ['updated', null, id],
    ['updated', null, id],
    ['removed', null, id],
  ]);
  expect(strange.messages.filter(({ type }) => type === 'project_changed')).toEqual([]);
  await socket.close();
  await strange.close();
});
