import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ApiKeyCreation, type CreatedApiKey, type KeyRun, type KeyScope, keyScopes } from '../../../contract/api-key.ts';
import type { Fork } from '../../../contract/executions/fork.ts';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import type { Question } from '../../../contract/executions/question.ts';
import type { OperationExample } from '../../../contract/operations/example-of.ts';
import { operations } from '../../../contract/operations/operations.ts';
import type { Project } from '../../../contract/project.ts';
import type { Route } from '../../../contract/route.ts';
import { type RouteName, routes } from '../../../contract/routes.ts';
import { setUpAccount, setUpServer } from '../../support/set-up/for-vitest.ts';
import { turnsOfFlood } from '../../support/turns-of-flood.ts';

const server = setUpServer({}, { ownProcess: 'The waits for its answers are measured.' });
const ann = setUpAccount(server);
const bob = setUpAccount(server);

async function createKey(creation: Partial<ApiKeyCreation> = {}, person = ann): Promise<CreatedApiKey> {
  const { status, body } = await person.call<CreatedApiKey>('POST', '/api-keys', {
    name: 'A program',
    scopes: [...keyScopes],
    ...creation,
  });
  expect(status).toBe(201);
  return body;
}

type Failed = { code?: string; details?: unknown };

async function callWith<T = Failed>(key: string, method: string, path: string, body?: unknown): Promise<{ status: number; body: T }> {
  const answer = await fetch(`${server.url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: (text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text) as T };
}

/** The example of an operation, with ids that name nothing: what a key may do is decided before the record is looked up. */
function exampleCall(name: RouteName): [method: string, path: string, body: unknown] {
  const { method, path } = routes[name] as Route;
  const { params = {}, query = {}, body }: OperationExample = operations[name].example;
  const filled = path.replace(/\{(\w+)\}/g, (_whole, field) => encodeURIComponent(String(params[field] ?? 'x')));
  const search = new URLSearchParams(Object.entries(query).map(([field, value]) => [field, String(value)] as [string, string])).toString();
  return [method, search ? `${filled}?${search}` : filled, body];
}

describe('scopes', () => {
  const keys = {} as Record<KeyScope, string>;
  beforeAll(async () => {
    for (const scope of keyScopes) keys[scope] = (await createKey({ scopes: [scope] }, bob)).key;
  });

  test('K2.02 every operation accepts exactly the keys with one of its scopes, and no key where it names no scope', async () => {
    const wrong: string[] = [];
    for (const [name, route] of Object.entries(routes) as [RouteName, Route][]) {
      if (route.auth === 'public') continue;
      const [method, path, body] = exampleCall(name);
      for (const scope of keyScopes) {
        const answer = await callWith(keys[scope], method, path, body);
        const isRefused = answer.status === 403 && answer.body.code === 'key_not_allowed';
        if (isRefused === (route.needs === scope)) wrong.push(`${name} with ${scope}: ${answer.status} ${answer.body.code}`);
        if (answer.status === 401 || answer.status >= 500) wrong.push(`${name} with ${scope}: ${answer.status}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

test('K2.01 a key is shown once, is known by its first characters, and its use by time and address', async () => {
  const { key, ...shown } = await createKey({ name: ' Nightly ', scopes: ['run', 'read', 'run'] });
  expect(key).toMatch(/^art_[0-9A-Za-z]{40}$/);
  expect(shown).toMatchObject({ name: 'Nightly', prefix: key.slice(0, 8), scopes: ['read', 'run'], projectId: null, lastUsedAt: null });
  expect((await callWith(key, 'GET', '/project')).status).toBe(200);
  const listed = async () => (await ann.call<CreatedApiKey[]>('GET', '/api-keys')).body.find(({ id }) => id === shown.id);
  await expect.poll(async () => (await listed())?.lastUsedFrom).toBe('127.0.0.1');
  expect(await listed()).not.toHaveProperty('key');
});

test('K2.03 a wrong, an expired and a revoked key get the same refusal, and the next call after a revocation gets it', async () => {
  const { id, key } = await createKey();
  expect((await callWith(key, 'GET', '/project')).status).toBe(200);
  expect((await bob.call('DELETE', `/api-keys/${id}`)).status).toBe(404);
  expect((await ann.call('DELETE', `/api-keys/${id}`)).status).toBe(204);
  const refused = await callWith(key, 'GET', '/project');
  expect(refused).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  for (const wrong of [`${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`, `art_${'0'.repeat(40)}`, 'art_short']) {
    expect(await callWith(wrong, 'GET', '/project')).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  }
});

test('K2.04 a key of one project reaches its records, and no other project, no list over all and no agent', async () => {
  const pipeline = await ann.pipeline('assistant');
  const other = (await ann.call<Project>('POST', '/project', { name: 'Another' })).body;
  const own = await createKey({ projectId: pipeline.projectId });
  const foreign = await createKey({ projectId: other.id });
  const calls = [
    ['GET', `/project/${pipeline.projectId}/canvas`],
    ['GET', `/Pipeline/${pipeline.id}`],
    ['GET', `/PipelineExecution?projectId=${pipeline.projectId}`],
    ['GET', `/PipelineExecution/pipeline/${pipeline.id}`],
    ['GET', `/ProjectResultHistory/project/${pipeline.projectId}`],
  ] as const;
  for (const [method, path] of calls) {
    expect([path, (await callWith(own.key, method, path)).status]).toEqual([path, 200]);
    expect([path, await callWith(foreign.key, method, path)]).toMatchObject([path, { status: 403, body: { code: 'key_not_allowed' } }]);
  }
  for (const path of ['/project', '/PipelineExecution', '/nuroagent', `/nuroagent/${ann.agent('assistant').id}`]) {
    expect([path, (await callWith(own.key, 'GET', path)).status]).toEqual([path, 403]);
  }
  const command = { agentId: ann.agent('assistant').id, request: 'Go', projectId: pipeline.projectId };
  expect((await callWith(own.key, 'POST', '/agentcommand/execute-async', command)).status).toBe(403);
  const started = { pipelineId: pipeline.id, initialTask: 'Go' };
  expect((await callWith(foreign.key, 'POST', '/PipelineExecution/start', started)).status).toBe(403);
  const run = await callWith<{ id: string }>(own.key, 'POST', '/PipelineExecution/start', started);
  expect(run.status).toBe(202);
  expect((await callWith(foreign.key, 'GET', `/PipelineExecution/${run.body.id}`)).status).toBe(403);
  expect((await callWith(own.key, 'GET', `/PipelineExecution/${run.body.id}`)).status).toBe(200);
  expect((await ann.call('POST', '/api-keys', { name: 'x', scopes: ['read'], projectId: crypto.randomUUID() })).status).toBe(404);
});

test('K2.05 a key answers the question of a person and says so; a question about money it does not', async () => {
  const { projectId } = await ann.pipeline('assistant');
  const asking = await ann.call<Pipeline>('POST', '/Pipeline', {
    name: 'Ask',
    projectId,
    steps: [{ name: 'Ask', agentId: ann.agent('assistant').id, nodeId: 'ask', settings: { person: {} } }],
  });
  const run = await ann.start(asking.body, 'Ask a person');
  await ann.until(run.id, ({ openQuestions }) => openQuestions === 1);
  const { key } = await createKey({ name: 'Bot', scopes: ['read', 'answer'] });
  const [question] = (await callWith<Question[]>(key, 'GET', `/PipelineExecution/${run.id}/questions`)).body;
  const answered = await callWith<Question>(key, 'POST', `/question/${question?.id}/answer`, { action: 'answer', text: 'Yes' });
  expect(answered).toMatchObject({ status: 200, body: { answeredBy: expect.stringContaining('(Bot)') } });

  const priced = await ann.pipeline('assistant');
  const costly = await ann.call<{ id: string }>('POST', '/PipelineExecution/start', {
    pipelineId: priced.id,
    initialTask: 'Spend',
    budget: { tokens: 1 },
  });
  await ann.until(costly.body.id, ({ openQuestions }) => openQuestions === 1);
  const [about] = (await callWith<Question[]>(key, 'GET', `/PipelineExecution/${costly.body.id}/questions`)).body;
  expect(about?.kind).toBe('budget');
  const refused = await callWith(key, 'POST', `/question/${about?.id}/answer`, { action: 'asMuchAgain' });
  expect(refused).toMatchObject({ status: 403, body: { code: 'key_not_allowed' } });
  await ann.act(costly.body.id, 'stop');
});

test('K2.10 a key lists the runs that it has started, with its address, the newest first, and no others', async () => {
  const pipeline = await ann.pipeline('assistant');
  const [busy, other] = [await createKey(), await createKey()];
  const runsOf = async ({ id }: CreatedApiKey) => (await ann.call<KeyRun[]>('GET', `/api-keys/${id}/runs`)).body;
  expect(await runsOf(busy)).toEqual([]);
  const released = { pipelineId: pipeline.id, slug: 'notes', title: 'Notes' };
  expect((await ann.call('POST', `/project/${pipeline.projectId}/released-teams`, released)).status).toBe(201);
  const task = `Write ${'x'.repeat(500)}`;
  const own = await ann.start(pipeline, 'By hand');
  const first = await callWith<{ id: string }>(busy.key, 'POST', '/PipelineExecution/start', {
    pipelineId: pipeline.id,
    initialTask: task,
  });
  const second = await callWith<{ id: string }>(busy.key, 'POST', '/team/notes/runs', {});
  for (const id of [own.id, first.body.id, second.body.id]) await ann.until(id, ({ status }) => status === 'completed');
  // A person who forks a run of the key has started the fork.
  const { steps } = await ann.until(first.body.id, ({ status }) => status === 'completed');
  const fork = [`/PipelineExecution/${first.body.id}/fork`, { from: { stepId: steps[0]?.stepId } }] as const;
  expect((await ann.call('POST', ...fork)).status).toBe(202);
  const forked = await callWith<Fork>(other.key, 'POST', ...fork);
  const from = '127.0.0.1';
  expect(await runsOf(busy)).toEqual([
    { runId: second.body.id, projectId: pipeline.projectId, title: 'Notes', status: 'completed', from, at: expect.any(String) },
    { runId: first.body.id, projectId: pipeline.projectId, title: task.slice(0, 200), status: 'completed', from, at: expect.any(String) },
  ]);
  expect(await runsOf(other)).toMatchObject([{ runId: forked.body.execution?.id, from }]);
  expect((await bob.call('GET', `/api-keys/${busy.id}/runs`)).status).toBe(404);
});

test('K2.06 thirty creations at once make twenty keys, and a revoked key makes room for a new key', async () => {
  const carl = bob;
  const held = (await carl.call<CreatedApiKey[]>('GET', '/api-keys')).body.length;
  const made = await Promise.all(
    Array.from({ length: 30 }, () => carl.call<CreatedApiKey>('POST', '/api-keys', { name: 'n', scopes: ['read'] })),
  );
  const ids = made.flatMap(({ status, body }) => (status === 201 ? [body.id] : []));
  expect(held + ids.length).toBe(20);
  expect(made.filter(({ status }) => status !== 201)).toHaveLength(30 - ids.length);
  for (const { status, body } of made) if (status !== 201) expect([status, (body as Failed).code]).toEqual([409, 'too_many_keys']);
  expect((await carl.call('DELETE', `/api-keys/${ids[0]}`)).status).toBe(204);
  expect((await carl.call('POST', '/api-keys', { name: 'n', scopes: ['read'] })).status).toBe(201);
});

test('K2.07 a key of a removed project is refused by every call, and is gone from the list', async () => {
  const { id: projectId } = (await ann.call<Project>('POST', '/project', { name: 'Short-lived' })).body;
  const { id, key } = await createKey({ projectId });
  expect((await callWith(key, 'GET', `/project/${projectId}`)).status).toBe(200);
  expect((await ann.call('DELETE', `/project/${projectId}`)).status).toBe(204);
  const calls: [string, string, unknown?][] = [
    ['GET', `/project/${projectId}`],
    ['GET', '/project'],
    ['GET', `/PipelineExecution?projectId=${projectId}`],
    ['POST', '/PipelineExecution/start', { pipelineId: crypto.randomUUID(), initialTask: 'Go' }],
    ['PUT', `/project/${projectId}`, { name: 'Back again' }],
    ['DELETE', `/project/${projectId}`],
  ];
  for (const [method, path, body] of calls) {
    const answer = await callWith(key, method, path, body);
    expect([path, answer.status, answer.body.code]).toEqual([path, 401, 'unauthorized']);
  }
  expect((await ann.call<CreatedApiKey[]>('GET', '/api-keys')).body.map((one) => one.id)).not.toContain(id);
});

/** Sends wrong keys over one socket, `atOnce` of them without waiting for answers, and returns the answers as they came. */
async function sendWrongKeys(count: number, atOnce: number, answered: () => void): Promise<string> {
  const { hostname, port, host } = new URL(server.url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  let answers = '';
  let known = 0;
  const countOf = () => answers.split('HTTP/1.1 ').length - 1;
  for (let sent = 0; sent < count; sent += atOnce) {
    const keys = Array.from({ length: atOnce }, (_, at) => `art_${String(sent + at).padStart(40, '0')}`);
    socket.write(keys.map((key) => `GET /api/project HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n\r\n`).join(''));
    while (countOf() < sent + atOnce) {
      answers += (await once(socket, 'data'))[0];
      for (; known < countOf(); known += 1) answered();
    }
  }
  socket.destroy();
  return answers;
}

test('K2.07 R19.01 ten thousand wrong keys are all refused, and a call of others is answered before half of those that were sent before it', async () => {
  const [sockets, atOnce] = [20, 20];
  let refused: string[] = [];
  const flood = async (answered: () => void) => {
    refused = await Promise.all(Array.from({ length: sockets }, () => sendWrongKeys(500, atOnce, answered)));
  };
  const turns = await turnsOfFlood(flood, async () => expect((await ann.call('GET', '/project')).status).toBe(200));
  expect(refused.join('').split('HTTP/1.1 401 ')).toHaveLength(10_001);
  // With the refusals one after another each of these calls waits for twice as many as half of those in flight.
  expect(turns.length).toBeGreaterThan(10_000 / ((sockets * atOnce) / 2));
});
