import { afterEach, beforeEach, expect, test } from 'vitest';
import { copyRun } from '../support/copy-run.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import type { TestDatabase } from '../support/open-test-database.ts';
import { signUp } from '../support/run-account.ts';
import { startServerOnDatabase } from '../support/server-on-database.ts';
import type { TestServer } from '../support/start-server.ts';

const queued = 5_000;
const tries = 9;

let models: ModelServer;
let database: TestDatabase;
let server: TestServer;

beforeEach(async () => {
  models = await startModelServer();
  ({ database, server } = await startServerOnDatabase({ OPENAI_BASE_URL: models.url }));
});
afterEach(async () => {
  await server?.stop();
  await Promise.all([database?.remove(), models?.close()]);
});

test(`R23.01 the run of another account starts within a second while one account has ${queued} runs in the queue`, async () => {
  const [ann, ben] = [await signUp(server.url), await signUp(server.url)];
  const isAnns = (task: string) => task.includes('Crowd');
  // Ann's runs end all the time, so the queue repeatedly fetches the next ones.
  models.answer(({ body }) =>
    isAnns(body.messages.at(-1)?.content ?? '') ? { kind: 'text', text: 'Done', afterMs: 500 } : { kind: 'text', text: 'Done' },
  );
  const first = await ann.start(await ann.pipeline('assistant'), 'Crowd');
  await ann.until(first.id, ({ status }) => status === 'completed');
  await copyRun(database.pool, first.id, queued);
  const waiting = async () => {
    const { rows } = await database.pool.query<{ many: number }>(
      "SELECT count(*)::integer AS many FROM artel_queue.job WHERE name = 'execution' AND state = 'created'",
    );
    return rows[0]?.many ?? 0;
  };
  await expect.poll(waiting, { timeout: 60_000 }).toBeGreaterThan(queued * 0.8);

  const pipeline = await ben.pipeline('assistant');
  const delays: number[] = [];
  for (let one = 0; one < tries; one += 1) {
    const asked = performance.now();
    const run = await ben.start(pipeline, 'Alone');
    const begun = await ben.until(run.id, ({ steps }) => steps[0]?.status !== 'pending');
    delays.push(performance.now() - asked);
    expect(begun.status).not.toBe('failed');
  }
  console.info(`started after ${delays.map(Math.round).join(', ')} ms with ${await waiting()} queued`);
  expect(await waiting()).toBeGreaterThan(queued * 0.5);
  expect(delays.toSorted((a, b) => a - b)[Math.floor(tries / 2)]).toBeLessThan(1_000);
});
