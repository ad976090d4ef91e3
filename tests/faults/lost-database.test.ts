import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { setUpAccount, setUpModelServer, setUpServer } from '../support/set-up/for-vitest.ts';

const models = setUpModelServer();
const server = setUpServer(() => ({ OPENAI_BASE_URL: models.url }), { ownProcess: 'Its embedded database is stopped.' });
const ann = setUpAccount(server);

/** Stops the server's PostgreSQL; the server then starts it again. */
async function endPostgres(signal: NodeJS.Signals): Promise<void> {
  const [pid] = (await readFile(join(server.dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
  process.kill(Number(pid), signal);
}

const health = async () => (await fetch(`${server.url}/health`)).status;

test.each(['SIGKILL', 'SIGQUIT'] as const)('R23.01 a run survives a stop of its database by %s while an agent works', async (signal) => {
  models.answer((call) => (call.number === 2 ? { kind: 'hang' } : { kind: 'text', text: `Answer ${call.number}` }));
  const execution = await ann.start(await ann.pipeline('assistant', 'developer', 'qa'), 'Outlive');
  await models.call(2);
  await endPostgres(signal);
  models.release('Answer 2');
  await expect.poll(health).toBe(200);

  const done = await ann.until(execution.id, ({ status }) => status === 'completed' || status === 'failed');
  expect(done).toMatchObject({ status: 'completed', result: 'Answer 3' });
  expect(done.steps.map(({ result, attempts }) => [result, attempts])).toEqual([
    ['Answer 1', 1],
    ['Answer 2', 1],
    ['Answer 3', 1],
  ]);
  expect(models.calls).toHaveLength(3);
  const events = await ann.logs(execution.id);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
});

test('R23.01 a run whose database stops between two steps continues by itself', async () => {
  const execution = await ann.start(await ann.pipeline('assistant', 'qa'), 'Go on', { pauseBetweenStepsMs: 3_000 });
  await ann.until(execution.id, ({ steps }) => steps[0]?.status === 'completed');
  await endPostgres('SIGKILL');
  await expect.poll(health).toBe(200);
  const done = await ann.until(execution.id, ({ status }) => status === 'completed' || status === 'failed');
  expect(done).toMatchObject({ status: 'completed', result: 'Answer 2' });
  expect(models.calls).toHaveLength(2);
});

test('R23.01 a command survives a SIGKILL of its database while the agent answers it', async () => {
  models.answer({ kind: 'hang' });
  const body = { agentId: ann.agent('qa').id, request: 'Outlive' };
  const { id } = (await ann.call<{ id: string }>('POST', '/agentcommand/execute-async', body)).body;
  await models.call(1);
  await endPostgres('SIGKILL');
  models.release('Once');
  await expect.poll(health).toBe(200);
  // A read may meet a connection that the stop has broken, and is then refused for a moment.
  const now = async () => (await ann.call('GET', `/agentcommand/status/${id}`)).body;
  await expect.poll(now).toMatchObject({ status: 'completed', result: 'Once', attempts: 1 });
  expect(models.calls).toHaveLength(1);
});

test('R23.01 a server whose database was stopped ends in order', async () => {
  expect(await server.kill('SIGTERM')).toBe(0);
});
