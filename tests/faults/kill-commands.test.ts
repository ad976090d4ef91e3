import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ChatCompletion, Command, CommandState } from '../../contract/command.ts';
import { embeddedAddress } from '../support/database/embedded-address.ts';
import { type RunAccount, signUp } from '../support/run-account.ts';
import { startServerOnDatabase } from '../support/server-on-database.ts';
import { type ModelServer, startModelServer } from '../support/services/model-server.ts';
import { startServer, type TestServer } from '../support/start-server.ts';
import { timesSlower } from '../support/times-slower.ts';

let models: ModelServer;
let server: TestServer;

beforeEach(async () => {
  models = await startModelServer();
});
afterEach(async () => {
  await server?.stop();
  await models?.close();
});

const begin = async (by: RunAccount, name: string, request: string, more: object = {}) => {
  const body = { agentId: by.agent(name).id, request, ...more };
  return (await by.call<CommandState>('POST', '/agentcommand/execute-async', body)).body;
};
const status = async (by: RunAccount, id: string) => (await by.call<CommandState>('GET', `/agentcommand/status/${id}`)).body;
const ended = (by: RunAccount, ids: string[]) =>
  expect
    .poll(async () => (await Promise.all(ids.map((id) => status(by, id)))).map((command) => command.status))
    .toEqual(ids.map(() => 'completed'));
/** The number of model calls for each command. */
const asked = () =>
  Object.values(Object.groupBy(models.calls, ({ headers }) => String(headers['idempotency-key']))).map((calls) => calls?.length);

describe('a single server', () => {
  beforeEach(async () => {
    server = await startServer({ env: { ARTEL_CLIENT: 'off', OPENAI_BASE_URL: models.url } });
  });

  test('R23.01 killed with twenty commands running and five waiting, the server ends each command once, with at most one more call each', async () => {
    const ann = await signUp(server.url);
    models.answer({ kind: 'hang' });
    const begun: CommandState[] = [];
    for (let number = 1; number <= 25; number += 1) begun.push(await begin(ann, 'developer', `Task ${number}`));
    await models.call(20);
    // Twenty calls hang: all places of the account are taken, and five commands wait.
    await server.kill('SIGKILL');
    const before = models.calls.length;
    expect(before).toBe(20);

    models.answer((call) => ({ kind: 'text', text: `Done: ${/Task \d+/.exec(call.body.messages.at(-1)?.content ?? '')?.[0]}` }));
    server = await server.restart();
    await ended(
      ann,
      begun.map(({ id }) => id),
    );
    const { body: history } = await ann.call<Command[]>('GET', `/agentcommand/history/${ann.agent('developer').id}`);
    expect(history.map(({ result }) => result)).toEqual(begun.map((_, index) => `Done: Task ${25 - index}`));
    expect(asked().toSorted()).toEqual([...Array(5).fill(1), ...Array(20).fill(2)]);
    expect(history.map(({ attempts }) => attempts).toSorted()).toEqual([...Array(5).fill(1), ...Array(20).fill(2)]);
  });

  test('R23.01 one statement stores a command with its job and begins the first attempt, and one statement ends the command and removes the job', async () => {
    const ann = await signUp(server.url);
    models.answer({ kind: 'hang' });
    const { id, status: accepted } = await begin(ann, 'qa', 'Once');
    expect(accepted).toBe('pending');
    const database = new pg.Client({ connectionString: await embeddedAddress(server.dataDir) });
    await database.connect();
    try {
      const stored = 'SELECT status, attempts, lease_epoch, state FROM agent_commands JOIN artel_queue.job USING (id)';
      expect((await database.query(stored)).rows).toEqual([{ status: 'running', attempts: 1, lease_epoch: 1, state: 'active' }]);
      await models.call(1);
      models.release('Done');
      await ended(ann, [id]);
      expect((await database.query("SELECT FROM artel_queue.job WHERE name = 'command'")).rowCount).toBe(0);
    } finally {
      await database.end();
    }
    expect(asked()).toEqual([1]);
  });

  test('R23.01 a caller whose answer was lost with the server repeats the call and gets the stored answer', async () => {
    const ann = await signUp(server.url);
    const key = { 'idempotency-key': 'lost' };
    const chat = { messages: [{ role: 'user', content: 'Hello' }] };
    const ask = () => ann.call<ChatCompletion>('POST', `/agentcommand/openai/${ann.agent('qa').id}`, chat, key);
    models.answer({ kind: 'hang' });
    const cutOff = ask().then(
      () => 'answered',
      () => 'cut off',
    );
    await models.call(1);
    // The model was asked, and the caller still waits for its answer.
    await server.kill('SIGKILL');
    expect(await cutOff).toBe('cut off');
    models.answer({ kind: 'text', text: 'Here' });
    server = await server.restart();
    expect(await ask()).toMatchObject({ status: 200, body: { choices: [{ message: { content: 'Here' } }] } });
    expect(asked()).toEqual([2]);
  });

  test('R23.01 on SIGTERM it answers waiting callers with the state of the command, ends in time, and leaves the command to the next server', async () => {
    const ann = await signUp(server.url);
    models.answer({ kind: 'hang' });
    const waiting = ann.call<CommandState>('POST', '/agentcommand/execute', { agentId: ann.agent('qa').id, request: 'Move house' });
    await models.call(1);
    const from = Date.now();
    expect(await server.kill('SIGTERM')).toBe(0);
    expect(Date.now() - from).toBeLessThan(10_000 * timesSlower());
    const { status: code, body } = await waiting;
    expect([code, body.status]).toEqual([202, 'running']);
    models.answer({ kind: 'text', text: 'Moved' });
    server = await server.restart();
    await ended(ann, [body.id]);
    expect(asked()).toEqual([2]);
  });

  test('R23.01 a command that waits for a step of a run still waits after a kill', async () => {
    const ann = await signUp(server.url);
    models.answer({ kind: 'hang' });
    const run = await ann.start(await ann.pipeline('assistant', 'qa'), 'Survive');
    await models.call(1);
    const { id } = await begin(ann, 'qa', 'start_workflow', { parameters: { executionId: run.id } });
    // The first step of the run hangs, so the command waits for its own.
    await server.kill('SIGKILL');
    models.answer((call) => ({ kind: 'text', text: `Answer ${call.number}` }));
    server = await server.restart();
    const done = await ann.until(run.id, ({ status: now }) => now === 'completed');
    await ended(ann, [id]);
    expect(await status(ann, id)).toMatchObject({ result: done.steps[1]?.result, stepId: done.steps[1]?.stepId });
  });
});

test('R23.01 when one of two servers is killed, the other server ends its commands', async () => {
  const { database, server: first } = await startServerOnDatabase({ OPENAI_BASE_URL: models.url });
  server = first;
  let other: TestServer | null = null;
  try {
    const ann = await signUp(first.url);
    models.answer({ kind: 'hang' });
    const onFirst: CommandState[] = [];
    for (let number = 1; number <= 5; number += 1) onFirst.push(await begin(ann, 'qa', `Task ${number}`));
    await models.call(5);
    // Only now: it would take commands that the first server is slow to begin.
    other = await first.beside();
    models.answer({ kind: 'text', text: 'Taken over' });
    await first.kill('SIGKILL');
    await ended(
      ann.at(other),
      onFirst.map(({ id }) => id),
    );
    expect(asked()).toEqual([2, 2, 2, 2, 2]);
  } finally {
    await other?.stop();
    await database.remove();
  }
});

test('R23.01 a live server that was considered dead gives up its commands, and later answers to it change nothing', async () => {
  const { database, server: alone } = await startServerOnDatabase({ OPENAI_BASE_URL: models.url });
  server = alone;
  try {
    const ann = await signUp(server.url);
    models.answer((call) => (call.number === 1 ? { kind: 'hang' } : { kind: 'text', text: 'The newer word' }));
    const { id } = await begin(ann, 'qa', 'Once');
    await models.call(1);
    // As the queue does with the job of a node that sends no heartbeat.
    await database.pool.query("UPDATE artel_queue.job SET state = 'retry', start_after = now() WHERE id = $1", [id]);
    await models.aborted(1);
    await ended(ann, [id]);
    expect(await status(ann, id)).toMatchObject({ result: 'The newer word', attempts: 2 });
    expect(asked()).toEqual([2]);
  } finally {
    await server.stop();
    await database.remove();
  }
});
