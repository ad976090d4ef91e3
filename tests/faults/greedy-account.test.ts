import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { setUpSecondUser } from '../support/faults/second-user.ts';
import { sendBytes } from '../support/hostile/large-bodies.ts';
import { type Listening, signUp } from '../support/run-account.ts';
import { setUpAccount, setUpModelServer, setUpServer } from '../support/set-up/for-vitest.ts';
import { timesSlower } from '../support/times-slower.ts';

const mebibyte = 1024 * 1024;
/** The longest that another user may wait while the messages of the sockets arrive at once (ms). */
const maxBurstMs = 1_000;

const models = setUpModelServer();
const server = setUpServer(() => ({ NODE_ENV: 'production', OPENAI_BASE_URL: models.url }), { ownProcess: 'Its memory is measured.' });
const mallory = setUpAccount(server);
const bob = setUpSecondUser(server);

const memoryBytes = () => Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) * 1_024;

test('W7.08 R19.01 sixty sockets of one account that ask for a thousand runs each are held to its rate, and no other user waits', async () => {
  const pipeline = await mallory.pipeline('assistant');
  const run = await mallory.start(pipeline, 'One to be told of');
  await mallory.until(run.id, ({ status }) => status === 'completed');
  const unknown = Array.from({ length: 999 }, (_, index) => `01a1fab3-094b-73bf-a485-${String(index).padStart(12, '0')}`);
  const since = Object.fromEntries([...unknown, run.id].map((id) => [id, 0]));
  const sockets: Listening[] = [];
  for (let count = 0; count < 60; count += 1) sockets.push(await mallory.socket());

  const isTold = ({ type, event }: { type: string; event?: { type: string } }) =>
    type === 'pipeline_update' && event?.type === 'execution.completed';
  const { latency, bound, result } = await bob.beside(async () => {
    for (const socket of sockets) socket.say({ type: 'since', since });
    // The server may also close such a socket.
    return Promise.all(sockets.map((socket) => Promise.race([socket.until(isTold).then(() => 'told'), socket.closed])));
  });
  await Promise.all(sockets.map((socket) => socket.close()));
  expect(new Set(result)).toEqual(new Set(['told', 1008]));
  // Reading 2.5 MB of messages at once takes its time; a thousand queries for each took half a minute.
  expect(latency.p99).toBeLessThan(Math.max(bound, maxBurstMs * timesSlower()));
});

test('R19.01 R23.01 the answers of one run are bounded together, so that no reader of it exhausts the server', async () => {
  models.answer(() => ({ kind: 'json', text: 'word '.repeat(200_000) }));
  const carol = await signUp(server.url);
  const run = await carol.start(await carol.pipeline(...Array.from({ length: 18 }, () => 'assistant')), 'Answer at length');
  const ended = await carol.until(run.id, ({ status }) => status === 'failed' || status === 'completed');
  expect(ended).toMatchObject({ status: 'failed', error: { code: 'run_answers_too_long', message: expect.stringContaining('16 MiB') } });
  expect(ended.steps.map(({ status }) => status)).toEqual([...Array.from({ length: 16 }, () => 'completed'), 'failed', 'pending']);
});

test('R19.01 R23.01 runs that are started with large inputs leave none of them in memory', async () => {
  models.answer(() => ({ kind: 'text', text: 'Done', afterMs: 20_000 }));
  const pipeline = await mallory.pipeline('assistant');
  const lists = Array.from({ length: 15 }, () => Array.from({ length: 7_500 }, () => ({})));
  const input = { task: 'A large one', lists };
  const body = Buffer.from(JSON.stringify({ pipelineId: pipeline.id, inputData: input }));
  const before = memoryBytes();
  for (let round = 0; round < 12; round += 1) {
    const sent = Array.from({ length: 8 }, () => sendBytes(server.url, mallory.accessToken, 'POST', '/PipelineExecution/start', body));
    expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([202]));
  }
  expect(memoryBytes() - before).toBeLessThan(250 * mebibyte);
});
