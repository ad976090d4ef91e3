import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Pipeline } from '../../contract/executions/pipeline.ts';
import type { HostileReply } from '../support/model-protocols/hostile-reply.ts';
import { type RunAccount, signUp } from '../support/run-account.ts';
import { type ModelServer, startModelServer } from '../support/services/model-server.ts';
import { startServer, type TestServer } from '../support/start-server.ts';

const good = 50;
/** 10 MB of text, endless text, a line without end, a stream of empty deltas, and one byte at a time. */
const poisons = ['longText', 'endlessText', 'endlessLine', 'endlessEmptyDeltas', 'drip'] as const satisfies readonly HostileReply[];
/** Runs of each kind. */
const ofEach = 3;
const readerCount = 15;
/** The most memory (bytes) that the poisoned runs may cost the server, above the memory of the good runs alone. */
const maxGrowth = 550 * 1024 * 1024;
/** An answer of 900 KB, which the log of its run has twice: the readers request 800 MB in total. */
const longAnswer = 'word '.repeat(180_000);

let models: ModelServer;
let server: TestServer;
const readers: Socket[] = [];

beforeEach(async () => {
  models = await startModelServer();
  server = await startServer({ env: { ARTEL_CLIENT: 'off', OPENAI_BASE_URL: models.url } });
});
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.destroy();
  await server?.stop();
  await models?.close();
});

test(`R23.01 ${good} runs end on time beside runs that are poisoned and clients that read a byte a second, in one process of bounded memory`, async () => {
  const [ann, mallory] = [await signUp(server.url), await signUp(server.url)];
  models.answer(({ body }) => {
    const task = body.messages.map(({ content }) => content).join('\n');
    const hostile = poisons.find((poison) => task.includes(`poison:${poison}`));
    if (hostile) return { kind: 'hostile', hostile };
    return task.includes('A long one') ? { kind: 'json', text: longAnswer } : { kind: 'text', text: 'Done', afterMs: 50 };
  });
  const pipeline = await ann.pipeline('assistant', 'developer', 'qa');
  const alone = await timeRuns(ann, pipeline);
  const peakAlone = peakMemory();

  await readLogSlowly(mallory);
  const single = await mallory.pipeline('assistant');
  const poisoned = await Promise.all(
    poisons.flatMap((poison) => Array.from({ length: ofEach }, () => mallory.start(single, `poison:${poison}`))),
  );
  const beside = await timeRuns(ann, pipeline);
  const growth = peakMemory() - peakAlone;
  console.info(
    `${good} runs: ${alone} ms alone, ${beside} ms beside ${poisoned.length}; memory grew by ${Math.round(growth / 1024 / 1024)} MiB`,
  );
  expect(beside).toBeLessThan(3 * alone + 10_000);
  expect(growth).toBeLessThan(maxGrowth);

  const endless = await Promise.all(
    poisoned.map(async ({ id, initialTask }) => {
      if (initialTask.includes('drip')) await mallory.act(id, 'stop');
      return mallory.until(id, ({ status }) => status !== 'running' && status !== 'pending');
    }),
  );
  for (const { initialTask, status, error } of endless) {
    if (initialTask.includes('drip')) expect(status).toBe('cancelled');
    else expect([initialTask, status, error?.code]).toEqual([initialTask, 'failed', 'model_answer_too_long']);
  }
  expect(peakMemory() - peakAlone).toBeLessThan(maxGrowth);
  expect((await fetch(`${server.url}/ready`)).status).toBe(200);
  expect(server.logs().match(/Artel is ready/g)).toHaveLength(1);
}, 240_000);

/** The duration of all good runs together (ms). */
async function timeRuns(who: RunAccount, pipeline: Pipeline): Promise<number> {
  const begun = performance.now();
  const runs = await Promise.all(Array.from({ length: good }, (_, index) => who.start(pipeline, `Task ${index}`)));
  for (const { id } of runs)
    expect((await who.until(id, ({ status }) => status !== 'running' && status !== 'pending')).status).toBe('completed');
  return Math.round(performance.now() - begun);
}

/** The peak memory of the server's process (bytes). */
function peakMemory(): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) * 1_024;
}

/** Clients that request the log of a run with a long answer, thirty times each, and read one byte a second. */
async function readLogSlowly(who: RunAccount): Promise<void> {
  const run = await who.start(await who.pipeline('assistant'), 'A long one');
  await who.until(run.id, ({ status }) => status === 'completed');
  const { hostname, port } = new URL(server.url);
  const head = `host: ${hostname}:${port}\r\nauthorization: Bearer ${who.accessToken}`;
  for (let one = 0; one < readerCount; one += 1) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(`GET /api/PipelineExecution/${run.id}/logs HTTP/1.1\r\n${head}\r\n\r\n`.repeat(30));
    // A byte a second keeps the connection in use, and takes nothing of weight.
    const timer = setInterval(() => socket.read(1), 1_000);
    socket.once('close', () => clearInterval(timer));
    readers.push(socket);
  }
}
