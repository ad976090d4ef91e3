import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CreatedApiKey } from '../../../contract/api-key.ts';
import { findNats } from '../../../scripts/cluster/local-nats.ts';
import { openCluster, type TestCluster } from '../../support/cluster.ts';
import { signUp } from '../../support/run-account.ts';
import { timesSlower } from '../../support/times-slower.ts';

describe.runIf(findNats() !== null)('two nodes behind no proxy (needs the program nats-server)', () => {
  let cluster: TestCluster;

  beforeAll(async () => {
    cluster = await openCluster(2);
  });
  afterAll(() => cluster?.stop());

  test('W7.08 a socket on one node is sent the events of a run that another node works on, in order and once', async () => {
    const { node } = cluster;
    const ann = await signUp(node(1).url);
    const bob = await signUp(node(1).url);
    const socket = await ann.at(node(2)).socket();
    const foreign = await bob.at(node(2)).socket();
    socket.say({ type: 'since', since: {} });
    foreign.say({ type: 'since', since: {} });
    // The simulated model writes its answer piece by piece.
    await ann.call('PUT', `/nuroagent/${ann.agent('assistant').id}/api-configuration`, { providerType: 'simulated' });
    const pipeline = await ann.pipeline('assistant', 'qa');
    const updates = await ann.at(node(2)).socket(`/pipelinews/${pipeline.id}`);

    const run = await ann.start(pipeline, 'Tell the others');
    await socket.until(({ event }) => event?.type === 'execution.completed');
    await updates.until(({ status }) => status === 'completed');
    const told = socket.messages.filter(({ type }) => type === 'pipeline_update');
    expect(told.map(({ event }) => event)).toEqual(await ann.at(node(2)).logs(run.id));
    expect(socket.messages.some(({ type, partial }) => type === 'agent_thought' && partial)).toBe(true);
    expect(foreign.messages.filter(({ type }) => type !== 'connected')).toEqual([]);
    await Promise.all([socket, foreign, updates].map(({ close }) => close()));
  });

  test('R31.01 a canvas saved on one node is announced to the tabs on the other', async () => {
    const { node } = cluster;
    const ann = await signUp(node(1).url);
    const socket = await ann.at(node(2)).socket();
    const { version } = (await ann.call<{ version: number }>('GET', '/project/default/canvas')).body;
    const change = { op: 'set', collection: 'nodes', id: 'n', value: { id: 'n', type: 'agent', title: 'New', x: 0, y: 0 } };
    const changed = await ann.call<{ version: number }>('PATCH', '/project/default/canvas', {
      baseVersion: version,
      patches: [change],
    });
    await socket.until((message) => message.type === 'canvas_updated' && message.version === changed.body.version);
    await socket.close();
  });

  test('W4.18 a run is paused, resumed and stopped on a node that does not work on it', async () => {
    const { models, node } = cluster;
    const ann = await signUp(node(1).url);
    const elsewhere = ann.at(node(2));
    models.answer({ kind: 'hang' });
    const before = models.calls.length;
    const run = await ann.start(await ann.pipeline('assistant', 'developer', 'qa'), 'Obey');
    await models.call(before + 1);
    expect((await elsewhere.act(run.id, 'pause')).body.pauseRequested).toBe(true);
    models.release('One');
    await ann.until(run.id, ({ status }) => status === 'paused');
    expect((await elsewhere.act(run.id, 'resume')).status).toBe(200);
    await models.call(before + 2);
    expect((await ann.act(run.id, 'stop')).body.status).toBe('cancelled');
    await models.aborted(before + 2);
    models.answer({ kind: 'text', text: 'Done' });
    expect(models.calls).toHaveLength(before + 2);
  });

  test('P7.02 a session that ends on one node ends on the other, its socket too', async () => {
    const { node } = cluster;
    const ann = await signUp(node(1).url);
    const elsewhere = ann.at(node(2));
    const socket = await elsewhere.socket();
    expect((await elsewhere.call('GET', '/project')).status).toBe(200);
    expect((await ann.call('POST', '/auth/logout', { refreshToken: ann.refreshToken })).status).toBe(204);
    expect((await elsewhere.call('GET', '/project')).status).toBe(401);
    expect((await elsewhere.call('POST', '/auth/refresh', { refreshToken: ann.refreshToken })).status).toBe(401);
    expect(await socket.closed).toBe(4401);
  });

  test('K5.06 a stream of events and a wait on one node end within a second when their key is revoked on the other', async () => {
    const { models, node } = cluster;
    const ann = await signUp(node(1).url);
    const plan = await ann.pipeline('assistant');
    const released = { pipelineId: plan.id, slug: 'slow', title: 'Slow' };
    expect((await ann.call('POST', `/project/${plan.projectId}/released-teams`, released)).status).toBe(201);
    const { body: created } = await ann.call<CreatedApiKey>('POST', '/api-keys', { name: 'Desk', scopes: ['read', 'run'] });
    const headers = { authorization: `Bearer ${created.key}`, 'content-type': 'application/json' };
    models.answer({ kind: 'hang' });
    const started = await fetch(`${node(2).url}/api/team/slow/runs`, { method: 'POST', headers, body: '{}' });
    const { id: run } = (await started.json()) as { id: string };
    const stream = await fetch(`${node(2).url}/api/team/slow/runs/${run}/events`, { headers: { ...headers, accept: 'text/event-stream' } });
    const params = { name: 'wait_for_run', arguments: { run }, _meta: { progressToken: 'p' } };
    const wait = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const waiting = await fetch(`${node(2).url}/mcp`, {
      ...{ method: 'POST', body: JSON.stringify(wait) },
      headers: { ...headers, accept: 'application/json, text/event-stream' },
    });
    const reader = (waiting.body as ReadableStream<Uint8Array>).getReader();
    const next = async () => Buffer.from((await reader.read()).value ?? []).toString();
    // The wait is under way once it has told of the progress.
    expect(await next()).toContain('notifications/progress');
    const revokedAt = performance.now();
    expect((await ann.call('DELETE', `/api-keys/${created.id}`)).status).toBe(204);
    // A stream that is cut off ends with an error of its client.
    const [answer] = await Promise.all([next(), stream.text().catch(() => '')]);
    expect(answer).toContain('(unauthorized)');
    expect(performance.now() - revokedAt).toBeLessThan(2_000 * timesSlower());
    await ann.act(run, 'stop');
    models.answer({ kind: 'text', text: 'Done' });
  });

  test('K2.03 a key that is revoked on one node is refused by the next call on the other, within a second', async () => {
    const { node } = cluster;
    const ann = await signUp(node(1).url);
    const { id, key } = (await ann.call<{ id: string; key: string }>('POST', '/api-keys', { name: 'n', scopes: ['read'] })).body;
    const program = ann.at(node(2)).with(key);
    for (let calls = 0; calls < 20; calls += 1) expect((await program.call('GET', '/project')).status).toBe(200);
    expect((await ann.call('DELETE', `/api-keys/${id}`)).status).toBe(204);
    const revokedAt = performance.now();
    expect((await program.call('GET', '/project')).status).toBe(401);
    expect(performance.now() - revokedAt).toBeLessThan(1_000 * timesSlower());
    expect((await ann.with(key).call('GET', '/project')).status).toBe(401);
  });

  test('P7.02 guesses at a password are counted over all nodes', async () => {
    const { node } = cluster;
    const ann = await signUp(node(1).url);
    const guess = (number: number) =>
      ann.at(node(number)).call('POST', '/auth/login', { email: ann.email, password: 'a wrong long guess' });
    const statuses: number[] = [];
    for (let turn = 0; turn < 10; turn += 1) statuses.push((await guess(1 + (turn % 2))).status);
    expect(statuses).toEqual(Array(10).fill(401));
    for (const number of [1, 2]) {
      const refused = await guess(number);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });

  test('R23.01 a start that is sent again to another node is done once', async () => {
    const { node } = cluster;
    const ann = await signUp(node(1).url);
    const pipeline = await ann.pipeline('assistant');
    const start = (number: number) =>
      ann
        .at(node(number))
        .call<{ id: string }>(
          'POST',
          '/PipelineExecution/start',
          { pipelineId: pipeline.id, inputData: { task: 'Once' } },
          { 'idempotency-key': 'again' },
        );
    const [one, two] = [await start(1), await start(2)];
    expect([one.status, two.status]).toEqual([202, 202]);
    expect(two.body.id).toBe(one.body.id);
    expect((await ann.call<unknown[]>('GET', '/PipelineExecution')).body).toHaveLength(1);
  });
});
