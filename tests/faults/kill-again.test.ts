import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Pipeline } from '../../contract/executions/pipeline.ts';
import { makeOpenFolder } from '../support/database/make-open-folder.ts';
import { openTestDatabase, type TestDatabase } from '../support/open-test-database.ts';
import { preload } from '../support/preload.ts';
import { type RunAccount, signUp } from '../support/run-account.ts';
import { type ModelServer, startModelServer } from '../support/services/model-server.ts';
import { startServer } from '../support/start-server.ts';

const team = ['assistant', 'prod-mgr', 'team-lead', 'developer', 'qa'];
const hourMs = 60 * 60 * 1_000;

let folder: Awaited<ReturnType<typeof makeOpenFolder>>;
let models: ModelServer;
let database: TestDatabase;

beforeEach(async () => {
  folder = await makeOpenFolder();
  models = await startModelServer();
  database = await openTestDatabase();
});
afterEach(async () => {
  await models?.close();
  await database?.remove();
  await folder?.remove();
});

/** Two steps of which the second follows the first when that has failed or not: a run with links. */
async function graph(ann: RunAccount): Promise<Pipeline> {
  const names = ['assistant', 'qa'];
  const { body } = await ann.call<Pipeline>('POST', '/Pipeline', {
    name: 'Graph',
    projectId: 'default',
    maxParallel: 2,
    steps: names.map((name) => ({ name, agentId: ann.agent(name).id, nodeId: name })),
    links: [{ id: 'on', from: 'assistant', to: 'qa' }],
  });
  return body;
}

test.each([
  ['a chain', (ann: RunAccount) => ann.pipeline('assistant', 'qa')],
  ['a graph', graph],
])('R23.01 %s is charged the time that heartbeats have proved, and not the hours in which the server was off', async (_kind, pipeline) => {
  const clock = join(folder.path, 'jump');
  await writeFile(clock, '0');
  const env = {
    ...{ ARTEL_CLIENT: 'off', OPENAI_BASE_URL: models.url, DATABASE_URL: database.connectionString, CLOCK_JUMP_FILE: clock },
    ARTEL_SECRET_KEY: 'a secret of at least thirty-two characters',
    NODE_OPTIONS: preload('faults/jumping-clock.ts'),
  };
  const first = await startServer({ env });
  const ann = await signUp(first.url);
  models.answer((call) => (call.number === 1 ? { kind: 'hang' } : { kind: 'text', text: 'Done' }));
  const begun = performance.now();
  const { id } = await ann.start(await pipeline(ann), 'Outlive a night', { timeoutSeconds: 60 });
  await models.call(1);
  const proved = async () => {
    const { rows } = await database.pool.query<{ ms: number | null }>("SELECT (data->>'activeMs')::integer AS ms FROM artel_queue.job");
    return Math.max(0, ...rows.map(({ ms }) => ms ?? 0));
  };
  // A heartbeat has stored more than a second: the kill may cost only what came after it.
  await expect.poll(proved, { interval: 50 }).toBeGreaterThan(1_000);
  await first.kill('SIGKILL');
  await first.stop();
  const until = performance.now() - begun;
  const provedMs = await proved();
  await database.pool.query("UPDATE artel_queue.job SET heartbeat_on = heartbeat_on - interval '1 minute' WHERE state = 'active'");

  await writeFile(clock, String(8 * hourMs));
  const second = await startServer({ env });
  try {
    const token = await ann.at(second).call<{ accessToken: string }>('POST', '/auth/refresh', { refreshToken: ann.refreshToken });
    const again = ann.at(second).with(token.body.accessToken);
    const restarted = performance.now();
    const done = await again.until(id, ({ status }) => status !== 'running' && status !== 'pending');
    expect(done).toMatchObject({ status: 'completed', error: null });
    const { body: statistics } = await again.call<{ activeMs: number }>('GET', `/PipelineExecution/${id}/statistics`);
    expect(statistics.activeMs).toBeGreaterThanOrEqual(provedMs);
    expect(statistics.activeMs).toBeLessThan(until + performance.now() - restarted);
  } finally {
    await second.stop();
  }
});

test('R23.01 a run that comes further between its crashes outlives any number of them', async () => {
  let server = await startServer({ env: { ARTEL_CLIENT: 'off', OPENAI_BASE_URL: models.url } });
  try {
    const ann = await signUp(server.url);
    // Each step is killed once, and carried out by the attempt after it.
    models.answer((call) => (call.number % 2 === 0 && call.number <= 16 ? { kind: 'hang' } : { kind: 'text', text: 'Done' }));
    const { id } = await ann.start(await ann.pipeline(...team, ...team), 'Outlive');
    for (let kill = 1; kill <= 8; kill += 1) {
      await models.call(2 * kill);
      // Each kill meets the first call of another step.
      await server.kill('SIGKILL');
      server = await server.restart();
    }
    const done = await ann.at(server).until(id, ({ status }) => status !== 'running' && status !== 'pending');
    expect(done).toMatchObject({ status: 'completed', result: 'Done' });
    expect(done.steps.map(({ attempts }) => attempts)).toEqual([1, 2, 2, 2, 2, 2, 2, 2, 2, 1]);
    expect(models.calls).toHaveLength(18);
  } finally {
    await server.stop();
  }
});

test('R44.01 a single step that ends while its server stops is the only one, also in the next server', async () => {
  let server = await startServer({ env: { ARTEL_CLIENT: 'off', OPENAI_BASE_URL: models.url, ARTEL_DRAIN_SECONDS: '20' } });
  try {
    const ann = await signUp(server.url);
    models.answer({ kind: 'hang' });
    const { id } = await ann.start(await ann.pipeline('assistant', 'developer', 'qa'), 'One at a time');
    await models.call(1);
    await ann.act(id, 'pause');
    models.release('First');
    await ann.until(id, ({ status }) => status === 'paused');
    await ann.act(id, 'next-step');
    await models.call(2);
    const stopped = server.kill('SIGTERM');
    const isServing = () =>
      fetch(`${server.url}/health`).then(
        ({ ok }) => ok,
        () => false,
      );
    // The second step ends while the server ends: it has stopped listening, and waits for the call.
    await expect.poll(isServing, { interval: 20 }).toBe(false);
    models.release('Second');
    await stopped;

    server = await server.restart();
    const now = await ann.at(server).until(id, ({ status }) => status === 'paused');
    expect(now.steps.map(({ status, attempts }) => [status, attempts])).toEqual([
      ['completed', 1],
      ['completed', 1],
      ['pending', 0],
    ]);
    expect(models.calls).toHaveLength(2);
  } finally {
    await server.stop();
  }
});
