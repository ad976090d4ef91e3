import { afterEach, beforeEach, expect, test } from 'vitest';
import { signUp } from '../support/run-account.ts';
import { type ModelServer, startModelServer } from '../support/services/model-server.ts';
import { startServer, type TestServer } from '../support/start-server.ts';
import { timesSlower } from '../support/times-slower.ts';

const team = ['assistant', 'prod-mgr', 'team-lead', 'developer', 'qa'];

let models: ModelServer;
let server: TestServer;

beforeEach(async () => {
  models = await startModelServer();
  server = await startServer({ env: { ARTEL_CLIENT: 'off', OPENAI_BASE_URL: models.url, ARTEL_ACCOUNT_RUNS_AT_ONCE: '20' } });
});
afterEach(async () => {
  await server?.stop();
  await models?.close();
});

test('R23.01 after a kill in step 3 of 5 the server repeats that step, and no finished step runs again', async () => {
  const ann = await signUp(server.url);
  models.answer((call) => (call.number === 3 ? { kind: 'hang' } : { kind: 'text', text: `Answer ${call.number}` }));
  const execution = await ann.start(await ann.pipeline(...team), 'Survive');
  await models.call(3);
  // The call of step 3 hangs, so the kill cannot come too early or too late.
  await server.kill('SIGKILL');
  const before = models.calls.length;

  const restarted = Date.now();
  server = await server.restart();
  const done = await ann.until(execution.id, ({ status }) => status !== 'running');
  expect(Date.now() - restarted).toBeLessThan(30_000 * timesSlower());
  expect(done).toMatchObject({ status: 'completed', result: 'Answer 6', progress: 100 });

  expect(before).toBe(3);
  expect(models.calls).toHaveLength(6);
  const keys = models.calls.map(({ headers }) => headers['idempotency-key']);
  expect(keys[3]).toBe(keys[2]);
  expect(new Set(keys).size).toBe(5);
  expect(done.steps.map(({ result }) => result)).toEqual(['Answer 1', 'Answer 2', 'Answer 4', 'Answer 5', 'Answer 6']);
  expect(done.steps[2]?.attempts).toBe(2);

  const events = await ann.logs(execution.id);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
  expect(events.filter(({ type }) => type === 'step.completed')).toHaveLength(5);
  const history = await ann.history();
  expect(history.filter(({ pipelineExecutionId }) => pipelineExecutionId === execution.id)).toMatchObject([
    { status: 2, finalResult: 'Answer 6' },
  ]);
});

test('R23.01 a server killed between two steps makes one call for each', async () => {
  const ann = await signUp(server.url);
  // One long pause: a busy machine kills within it, too.
  const execution = await ann.start(await ann.pipeline('assistant', 'qa'), 'Survive', { pauseBetweenStepsMs: 6_000 });
  await ann.until(execution.id, ({ steps }) => steps[0]?.status === 'completed');
  await server.kill('SIGKILL');

  server = await server.restart();
  const done = await ann.until(execution.id, ({ status }) => status !== 'running');
  expect(done.status).toBe('completed');
  expect(models.calls).toHaveLength(2);
});

test('R23.01 a server that is stopped by a signal leaves the run to the next one', async () => {
  const ann = await signUp(server.url);
  models.answer((call) => (call.number === 2 ? { kind: 'hang' } : { kind: 'text', text: `Answer ${call.number}` }));
  const execution = await ann.start(await ann.pipeline('assistant', 'developer', 'qa'), 'Move house');
  await models.call(2);
  const asked = Date.now();
  expect(await server.kill('SIGTERM')).toBe(0);
  expect(Date.now() - asked).toBeLessThan(10_000 * timesSlower());
  await models.aborted(2);

  server = await server.restart();
  const done = await ann.until(execution.id, ({ status }) => status !== 'running');
  expect(done).toMatchObject({ status: 'completed', result: 'Answer 4' });
  expect(models.calls).toHaveLength(4);
});

test('R44.01 a paused run is still paused after a kill, and continues when resumed', async () => {
  const ann = await signUp(server.url);
  models.answer({ kind: 'hang' });
  const execution = await ann.start(await ann.pipeline('assistant', 'qa'), 'Wait for me');
  await models.call(1);
  await ann.act(execution.id, 'pause');
  models.release('Answer 1');
  await ann.until(execution.id, ({ status }) => status === 'paused');
  await server.kill('SIGKILL');

  server = await server.restart();
  models.answer({ kind: 'text', text: 'Answer 2' });
  expect((await ann.details(execution.id)).status).toBe('paused');
  expect(models.calls).toHaveLength(1);
  await ann.act(execution.id, 'resume');
  expect((await ann.until(execution.id, ({ status }) => status === 'completed')).result).toBe('Answer 2');
});

test('R23.01 twenty runs killed in step 3 all finish, with at most one call more than steps each', async () => {
  const ann = await signUp(server.url);
  const pipeline = await ann.pipeline(...team);
  let holding = true;
  models.answer((call) => {
    const third = (call.body.messages[1]?.content.match(/^## /gm) ?? []).length === 2;
    return third && holding ? { kind: 'hang' } : { kind: 'text', text: 'Done' };
  });
  const started = await Promise.all(Array.from({ length: 20 }, (_, index) => ann.start(pipeline, `Task ${index}`)));
  await models.call(60);
  // All twenty runs hang in their third step.
  await server.kill('SIGKILL');
  holding = false;

  server = await server.restart();
  const ended = await Promise.all(started.map(({ id }) => ann.until(id, ({ status }) => status !== 'running')));
  expect(ended.map(({ status }) => status)).toEqual(started.map(() => 'completed'));
  expect(models.calls.length).toBeLessThanOrEqual(120);
});

test('R10.01 a new process continues the work of the previous one within 0.5 s of being ready', async () => {
  const ann = await signUp(server.url);
  models.answer({ kind: 'hang' });
  const run = await ann.start(await ann.pipeline('assistant', 'qa'), 'Resume');
  await models.call(1);
  const delays: number[] = [];
  // The least of three: the machine has other work, and a server that waits for a poll, a heartbeat or a retry's delay is late in every attempt.
  for (let attempt = 2; attempt <= 4; attempt += 1) {
    await server.kill('SIGKILL');
    server = await server.restart();
    const ready = performance.now();
    await models.call(attempt);
    delays.push((performance.now() - ready) / timesSlower());
  }
  expect(Math.min(...delays)).toBeLessThan(500);
  models.answer({ kind: 'text', text: 'Done' });
  models.release('Done');
  expect((await ann.until(run.id, ({ status }) => status !== 'running')).status).toBe('completed');
});
