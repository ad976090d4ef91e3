import { randomBytes } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { maxCommandsOfAgent } from '../../../contract/command.ts';
import { linkToDatabase } from '../../support/database/database-link.ts';
import { openTestDatabase } from '../../support/open-test-database.ts';
import { readMetrics } from '../../support/read-metrics.ts';
import { signUp } from '../../support/run-account.ts';
import { setUpModelServer, setUpServer, startAnother } from '../../support/set-up/for-vitest.ts';

const models = setUpModelServer();
const server = setUpServer(() => ({ OPENAI_BASE_URL: models.url }));
const leftovers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const remove of leftovers.splice(0).reverse()) await remove();
});

type Metrics = Awaited<ReturnType<typeof readMetrics>>;

/** Waits until these metrics have grown by so much: an answer or a state may be seen before it is counted. */
async function grownTo(expected: number[], before: Metrics, ...metrics: (readonly [name: string, labels: Record<string, string>])[]) {
  let after = before;
  const grown = async () => {
    const now = await readMetrics(server.url);
    after = now;
    return metrics.map(([name, labels]) => (now.value(name, labels) ?? 0) - (before.value(name, labels) ?? 0));
  };
  await expect.poll(grown).toEqual(expected);
  return { after };
}

test('R10.01 requests are counted and timed by route, method and class of status, and an invented address gets no label', async () => {
  const ann = await signUp(server.url);
  const requests = 'artel_http_request_duration_seconds';
  const one = { route: '/api/project/{id}', method: 'GET' };
  const before = await readMetrics(server.url);
  await ann.call('GET', '/project/default');
  await ann.call('GET', '/Project/default');
  await ann.call('GET', '/project/none-of-yours');
  await fetch(`${server.url}/api/made-up-${ann.userId}`);
  const counted = [
    { ...one, status: '2xx' },
    { ...one, status: '4xx' },
    { route: 'none', status: '4xx' },
  ];
  const { after } = await grownTo([2, 1, 1], before, ...counted.map((labels) => [`${requests}_count`, labels] as const));
  expect(after.value(`${requests}_sum`, one)).toBeGreaterThan(0);
  expect(after.value(`${requests}_bucket`, { ...one, status: '2xx', le: '+Inf' })).toBe(
    after.value(`${requests}_count`, { ...one, status: '2xx' }),
  );
  expect(after.text).not.toContain(ann.userId);
});

test('K2.07 calls with API keys are counted by whether the key was accepted', async () => {
  const ann = await signUp(server.url);
  const { projectId } = await ann.pipeline('assistant');
  const other = (await ann.call<{ id: string }>('POST', '/project', { name: 'Another' })).body;
  const make = async (creation: object) => (await ann.call<{ key: string }>('POST', '/api-keys', { name: 'n', ...creation })).body.key;
  const [reader, bound] = [await make({ scopes: ['read'] }), await make({ scopes: ['read'], projectId })];
  const before = await readMetrics(server.url);
  const calls = [
    [reader, 'GET', '/project', 200],
    [reader, 'DELETE', `/project/${other.id}`, 403],
    [bound, 'GET', `/project/${other.id}`, 403],
    [`art_${'0'.repeat(40)}`, 'GET', '/project', 401],
  ] as const;
  for (const [key, method, path, status] of calls) expect((await ann.with(key).call(method, path)).status).toBe(status);
  const outcomes = ['accepted', 'not_allowed', 'other_project', 'wrong'].map(
    (outcome) => ['artel_api_key_calls_total', { outcome }] as const,
  );
  await grownTo([2, 1, 1, 1], before, ...outcomes);
});

test('R10.01 the delay of the event loop is measured, a value a second', async () => {
  const count = async () => (await readMetrics(server.url)).value('artel_event_loop_delay_seconds_count') ?? 0;
  const before = await count();
  await expect.poll(count).toBeGreaterThan(before);
});

test('R10.01 runs, their steps, the calls of models and their tokens are measured', async () => {
  const ann = await signUp(server.url);
  const before = await readMetrics(server.url);
  models.answer((call) =>
    call.body.messages.at(-1)?.content.includes('Fail') ? { kind: 'status', status: 401 } : { kind: 'text', text: 'Done' },
  );
  const pipeline = await ann.pipeline('assistant', 'qa');
  const good = await ann.start(pipeline, 'Succeed');
  await ann.until(good.id, ({ status }) => status === 'completed');
  const bad = await ann.start(pipeline, 'Fail');
  await ann.until(bad.id, ({ status }) => status === 'failed');
  await grownTo(
    [2, 1, 2, 1, 40, 20],
    before,
    ['artel_step_duration_seconds_count', { provider: 'openai', outcome: 'completed' }],
    ['artel_step_duration_seconds_count', { provider: 'openai', outcome: 'failed' }],
    ['artel_model_call_duration_seconds_count', { provider: 'openai', outcome: 'answered' }],
    ['artel_model_call_duration_seconds_count', { provider: 'openai', outcome: 'model_unauthorized' }],
    ['artel_model_tokens_total', { provider: 'openai', kind: 'prompt' }],
    ['artel_model_tokens_total', { provider: 'openai', kind: 'completion' }],
  );
});

test('R10.01 executions by state are read from the database, and running work, queues and open sockets are measured', async () => {
  const own = await startAnother({ env: { ARTEL_CLIENT: 'off', OPENAI_BASE_URL: models.url } });
  leftovers.push(own.stop);
  const ann = await signUp(own.url);
  models.answer({ kind: 'hang' });
  const from = models.calls.length;
  const pipeline = await ann.pipeline('assistant');
  const [, stopped] = [await ann.start(pipeline, 'One'), await ann.start(pipeline, 'Two')];
  await models.call(from + 2);
  await ann.act(stopped.id, 'stop');
  const socket = await ann.socket();
  await socket.until((message) => message.type === 'connected');

  const now = await readMetrics(own.url);
  const states = now.samples.filter(({ name }) => name === 'artel_executions').map(({ labels, value }) => [labels.state, value]);
  expect(Object.fromEntries(states)).toEqual({ pending: 0, running: 1, paused: 0, completed: 0, failed: 0, cancelled: 1 });
  expect(now.value('artel_queue_depth')).toBe(0);
  expect(now.value('artel_sockets_open')).toBe(1);
  await expect.poll(async () => (await readMetrics(own.url)).value('artel_executions_under_way')).toBe(1);
  await socket.close();
  await expect.poll(async () => (await readMetrics(own.url)).value('artel_sockets_open')).toBe(0);
  expect(now.value('artel_commands_under_way')).toBe(0);
  for (let number = 0; number <= maxCommandsOfAgent; number += 1) {
    await ann.call('POST', '/agentcommand/execute-async', { agentId: ann.agent('qa').id, request: 'Hold' });
  }
  const busy = async () => {
    const read = await readMetrics(own.url);
    return [read.value('artel_commands_under_way'), read.value('artel_command_queue_depth')];
  };
  await expect.poll(busy).toEqual([maxCommandsOfAgent, 1]);
  for (const name of ['process_cpu_seconds_total', 'process_resident_memory_bytes', 'nodejs_eventloop_lag_seconds', 'artel_build_info']) {
    expect(now.value(name)).not.toBeNull();
  }
});

test('R10.01 metrics are read while the database is away, without the figures that only it has', async () => {
  const database = await openTestDatabase();
  leftovers.push(database.remove);
  const link = await linkToDatabase(database.connectionString);
  leftovers.push(link.close);
  const node = await startAnother({
    env: { DATABASE_URL: link.url, ARTEL_SECRET_KEY: randomBytes(32).toString('hex'), ARTEL_CLIENT: 'off' },
  });
  leftovers.push(node.stop);
  await link.cut();
  const now = await readMetrics(node.url);
  expect(now.value('artel_executions')).toBeNull();
  expect(now.value('artel_dead_letters')).toBeNull();
  expect(now.value('artel_queue_depth')).toBe(0);
  await link.mend();
  await expect.poll(async () => (await readMetrics(node.url)).value('artel_executions', { state: 'running' })).toBe(0);
});
