import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { Agent, AgentStatistics } from '../../../contract/agent.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { setUpModelServer, setUpServer } from '../../support/set-up/for-vitest.ts';

const models = setUpModelServer();
const server = setUpServer(() => ({ OPENAI_API_KEY: 'sk-server-wide', OPENAI_BASE_URL: models.url }));
let ann: RunAccount;

beforeEach(async () => {
  ann = await signUp(server.url);
});

const list = async (path: string) => (await ann.call<Agent[]>('GET', `/nuroagent${path}`)).body;
const names = async (path: string) => (await list(path)).map(({ name }) => name);
const agentPath = (name: string, more = '') => `/nuroagent/${ann.agent(name).id}${more}`;

test.each(['ru', 'en'] as const)('W3.03 each agent of a new account describes its purpose and its skills in %s', async (language) => {
  const { agents } = await signUp(server.url, language);
  expect(agents).toHaveLength(7);
  for (const { specialization, skills, status, contextAccessLevel } of agents) {
    expect(/[а-яё]/i.test(specialization) && skills.some((skill) => /[а-яё]/i.test(skill))).toBe(language === 'ru');
    expect([specialization, ...skills].filter((words) => words.trim() === '')).toEqual([]);
    expect(skills).toHaveLength(3);
    expect([status, contextAccessLevel]).toEqual([1, 3]);
  }
});

test('W7.02 agents are listed by role and by specialization, in any case and any letters, page by page', async () => {
  const specialization = 'Бэкенд / API: 100 %';
  for (const title of ['One', 'Two']) {
    await ann.call('POST', '/nuroagent', { name: 'developer', title, role: 'Developer', specialization });
  }
  expect(await names('/by-role/developer')).toEqual(['developer', 'developer', 'developer']);
  expect(await names('/by-role/DEVELOPER')).toHaveLength(3);
  expect(await names('/by-role/Develop')).toEqual([]);
  expect(await names('/by-role/Devel_per')).toEqual([]);
  const encoded = encodeURIComponent(specialization.toUpperCase());
  expect((await list(`/by-specialization/${encoded}`)).map(({ title }) => title)).toEqual(['One', 'Two']);
  const page = await ann.call<Agent[]>('GET', `/nuroagent/by-specialization/${encoded}?limit=1&offset=1`);
  expect([page.body.map(({ title }) => title), page.headers.get('x-total-count')]).toEqual([['Two'], '2']);
  const longest = 'ж'.repeat(200);
  await ann.call('PUT', agentPath('qa'), { specialization: longest });
  expect(await names(`/by-specialization/${encodeURIComponent(longest)}`)).toEqual(['qa']);
});

test('W7.02 a status is set by name or number, kept until it is set again, and listed by both', async () => {
  expect(await ann.call('PATCH', agentPath('qa', '/status'), { status: 'Busy' })).toMatchObject({ status: 200, body: { status: 2 } });
  expect(await ann.call('PATCH', agentPath('analyst', '/status'), { status: 0 })).toMatchObject({ status: 200, body: { status: 0 } });
  for (const status of ['busy', 'BUSY', '2']) expect(await names(`/by-status/${status}`)).toEqual(['qa']);
  for (const status of ['inactive', '0']) expect(await names(`/by-status/${status}`)).toEqual(['analyst']);
  expect(await names('/by-status/active')).toHaveLength(5);
  const run = await ann.start(await ann.pipeline('qa'), 'Busy agents work on');
  await ann.until(run.id, ({ status }) => status === 'completed');
  expect((await ann.call<Agent>('GET', agentPath('qa'))).body.status).toBe(2);
  await ann.call('PATCH', agentPath('qa', '/status'), { status: '1' });
  expect(await names('/by-status/1')).toHaveLength(6);
});

test('W7.02 a change cannot set status, owner or moments, and an agent is never made over another', async () => {
  const before = ann.agent('qa');
  const forbidden = { status: 0, id: ann.agent('analyst').id, userId: randomUUID(), createdAt: '2000-01-01T00:00:00Z', apiKeySealed: 'x' };
  const { body: changed } = await ann.call<Agent>('PUT', agentPath('qa'), { title: 'Changed', ...forbidden });
  expect(changed).toEqual({ ...before, title: 'Changed', updatedAt: changed.updatedAt });
  const body = { ...forbidden, id: before.id, name: 'qa', title: 'Another', role: 'QA' };
  const { body: made } = await ann.call<Agent>('POST', '/nuroagent', body);
  expect(made.id).not.toBe(before.id);
  expect(await list('/by-role/QA')).toEqual([changed, made]);
});

test('W7.02 agents are listed by their access to the context of a run', async () => {
  await ann.call('PUT', agentPath('qa'), { contextAccessLevel: 0 });
  await ann.call('PUT', agentPath('developer'), { contextAccessLevel: 1 });
  await ann.call('PUT', agentPath('analyst'), { contextAccessLevel: 2 });
  expect(await names('/with-context-access')).not.toContain('qa');
  expect(await names('/with-context-access')).toHaveLength(6);
  expect(await names('/with-context-access')).toContain('developer');
  expect(await names('/with-context-access?minAccessLevel=0')).toHaveLength(7);
  expect(await names('/with-context-access?minAccessLevel=2')).toContain('analyst');
  expect(await names('/with-context-access?minAccessLevel=3')).toHaveLength(4);
});

test('W7.02 model settings are set by a body that names its agent, once for each key', async () => {
  const body = { agentId: ann.agent('qa').id, model: 'gpt-4-turbo', temperature: 0.1, apiKey: 'sk-test-0123456789abcdef-WXYZ' };
  const headers = { 'idempotency-key': randomUUID() };
  const first = await ann.call('POST', '/nuroagent/api-configuration', body, headers);
  // A key of its own takes the place of the operator's connection.
  const own = { connectionId: null, hasKey: true, keyLast4: 'WXYZ', ended: { on: expect.any(String), instead: expect.any(String) } };
  const stored = { ...ann.agent('qa').apiConfiguration, model: 'gpt-4-turbo', temperature: 0.1, ...own };
  expect(first).toMatchObject({ status: 201, body: stored });
  await ann.call('PUT', agentPath('qa', '/api-configuration'), { temperature: 0.9 });
  expect((await ann.call('POST', '/nuroagent/api-configuration', body, headers)).body).toEqual(first.body);
  expect((await ann.call('GET', agentPath('qa', '/api-configuration'))).body).toEqual({ ...stored, temperature: 0.9 });
});

test.each([
  ['GET', '/by-status/asleep', undefined, 'status'],
  ['GET', '/by-status/3', undefined, 'status'],
  ['GET', `/by-role/${'x'.repeat(101)}`, undefined, 'role'],
  ['GET', '/by-role/%20', undefined, 'role'],
  ['GET', '/by-specialization/x?limit=0', undefined, 'limit'],
  ['GET', '/with-context-access?minAccessLevel=4', undefined, 'minAccessLevel'],
  ['GET', '/with-context-access?minAccessLevel=some', undefined, 'minAccessLevel'],
  ['GET', '/statistics/me', undefined, 'id'],
  ['DELETE', '/me', undefined, 'id'],
  ['POST', '/api-configuration', { model: 'gpt-4' }, 'agentId'],
])('W7.02 %s %s with %o is refused and names the field', async (method, path, body, field) => {
  const refusal = await ann.call(method, `/nuroagent${path}`, body);
  expect(refusal).toMatchObject({ status: 400, body: { code: 'bad_request', errors: [{ path: field }] } });
});

test.each([{ status: 'asleep' }, { status: 3 }, { status: null }, {}])('W7.02 %o is no status to set', async (body) => {
  const refusal = await ann.call('PATCH', agentPath('qa', '/status'), body);
  expect(refusal).toMatchObject({ status: 400, body: { errors: [{ path: 'status' }] } });
  expect((await ann.call<Agent>('GET', agentPath('qa'))).body).toEqual(ann.agent('qa'));
});

test('W7.02 a removed agent keeps its work in the runs, and a pipeline that names it cannot start', async () => {
  const pipeline = await ann.pipeline('assistant', 'qa');
  const run = await ann.start(pipeline, 'Before');
  const done = await ann.until(run.id, ({ status }) => status === 'completed');
  expect(await ann.call('DELETE', agentPath('qa'))).toMatchObject({ status: 204 });
  expect(await ann.call('GET', agentPath('qa'))).toMatchObject({ status: 404 });
  expect(await ann.call('DELETE', agentPath('qa'))).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect(await names('')).toHaveLength(6);
  expect(await ann.details(run.id)).toEqual(done);
  expect((await ann.call('GET', `/Pipeline/${pipeline.id}`)).body).toEqual(pipeline);
  const body = { pipelineId: pipeline.id, inputData: { task: 'After' } };
  expect(await ann.call('POST', '/PipelineExecution/start', body)).toMatchObject({ status: 404 });
});

test('W7.02 an agent is not removed while a run with it has not ended, and the answer says how the run is', async () => {
  models.answer({ kind: 'hang' });
  const run = await ann.start(await ann.pipeline('assistant', 'qa'), 'Long');
  await models.call(1);
  const refusal = (status: string) => ({
    status: 409,
    body: { code: 'illegal_state', details: { status }, message: expect.stringContaining(status) },
  });
  expect(await ann.call('DELETE', agentPath('assistant'))).toMatchObject(refusal('running'));
  expect(await ann.call('DELETE', agentPath('qa'))).toMatchObject(refusal('running'));
  await ann.act(run.id, 'pause');
  models.release('Done');
  await ann.until(run.id, ({ status }) => status === 'paused');
  expect(await ann.call('DELETE', agentPath('assistant'))).toMatchObject(refusal('paused'));
  await ann.act(run.id, 'stop');
  expect(await ann.call('DELETE', agentPath('assistant'))).toMatchObject({ status: 204 });
});

test('W7.02 a start and a removal at the same moment: one of the two calls is refused', async () => {
  models.answer({ kind: 'hang' });
  for (let round = 0; round < 12; round += 1) {
    const { body: agent } = await ann.call<Agent>('POST', '/nuroagent', { name: 'x', title: 'X', role: 'X' });
    const steps = [{ name: 'One', agentId: agent.id }];
    const { body: pipeline } = await ann.call<{ id: string }>('POST', '/Pipeline', { name: 'One', projectId: 'default', steps });
    const start = () =>
      ann.call<{ id: string }>('POST', '/PipelineExecution/start', { pipelineId: pipeline.id, inputData: { task: 'Go' } });
    const remove = () => ann.call('DELETE', `/nuroagent/${agent.id}`);
    const [begun, removed] = round % 2 === 0 ? [start(), remove()] : [remove(), start()].toReversed();
    const [started, gone] = await Promise.all([begun, removed]);
    expect([
      [202, 409],
      [404, 204],
    ]).toContainEqual([started?.status, gone?.status]);
    if (started?.status === 202) await ann.act((started.body as { id: string }).id, 'stop');
  }
});

test('W3.08 statistics count the steps that an agent has begun and how they went', async () => {
  const statistics = async (name: string) => (await ann.call<AgentStatistics>('GET', `/nuroagent/statistics/${ann.agent(name).id}`)).body;
  const nothing = { totalCommands: 0, successfulCommands: 0, failedCommands: 0, averageExecutionTime: null, lastActivity: null };
  expect(await statistics('assistant')).toEqual(nothing);

  const pipeline = await ann.pipeline('assistant', 'qa');
  const first = await ann.until((await ann.start(pipeline, 'Well')).id, ({ status }) => status === 'completed');
  models.answer({ kind: 'status', status: 401 });
  const second = await ann.until((await ann.start(pipeline, 'Badly')).id, ({ status }) => status === 'failed');
  expect(await statistics('assistant')).toEqual({
    ...{ totalCommands: 2, successfulCommands: 1, failedCommands: 1 },
    averageExecutionTime: first.steps[0]?.durationMs,
    lastActivity: second.steps[0]?.completedAt,
  });
  expect(await statistics('qa')).toMatchObject({ totalCommands: 1, successfulCommands: 1, failedCommands: 0 });

  models.answer({ kind: 'hang' });
  const third = await ann.start(pipeline, 'Slowly');
  const { steps } = await ann.until(third.id, ({ steps: [step] }) => step?.status === 'running');
  expect(await statistics('assistant')).toMatchObject({ totalCommands: 3, lastActivity: steps[0]?.startedAt });
  await ann.act(third.id, 'stop');
  expect(await statistics('assistant')).toMatchObject({ totalCommands: 3, successfulCommands: 1, failedCommands: 1 });
  expect(await statistics('qa')).toMatchObject({ totalCommands: 1 });
  expect(await statistics('developer')).toEqual(nothing);
});
