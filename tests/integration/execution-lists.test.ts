import { drizzle } from 'drizzle-orm/node-postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Execution } from '../../contract/execution.ts';
import { executionRepository, listedResult } from '../../server/modules/executions/store/repository.ts';
import { copyRun } from '../support/copy-run.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import type { TestDatabase } from '../support/open-test-database.ts';
import { signUp } from '../support/run-account.ts';
import { startServerOnDatabase } from '../support/server-on-database.ts';
import type { TestServer } from '../support/start-server.ts';

let models: ModelServer;
let database: TestDatabase;
let server: TestServer;

beforeAll(async () => {
  models = await startModelServer();
  ({ database, server } = await startServerOnDatabase({ OPENAI_BASE_URL: models.url }));
});
afterAll(async () => {
  await server?.stop();
  await Promise.all([database?.remove(), models?.close()]);
});

const mebibyte = 1024 * 1024;

test('W7.06 a list of runs holds the beginning of each result and nothing of what was sent; one run is told whole', async () => {
  const ann = await signUp(server.url);
  const result = `Begins. ${'x'.repeat(mebibyte)}`;
  models.answer({ kind: 'text', text: result.slice(0, 900_000) });
  const first = await ann.start(await ann.pipeline('assistant'), 'Write much', {
    inputData: { task: 'Write much', note: 'y'.repeat(100_000) },
  });
  const done = await ann.until(first.id, ({ status }) => status === 'completed');
  const copies = await copyRun(database.pool, first.id, 30, { status: 'completed', completed_at: new Date().toISOString(), result });
  expect(copies).toHaveLength(30);

  for (const path of [
    '/PipelineExecution',
    `/PipelineExecution/pipeline/${first.pipelineId}`,
    '/PipelineExecution/status/completed',
    `/PipelineExecution/user/${ann.userId}`,
  ]) {
    const { body } = await ann.call<Execution[]>('GET', path);
    expect(body).toHaveLength(31);
    expect(body.map((one) => one.result?.length)).toEqual(Array(31).fill(listedResult));
    expect(JSON.stringify(body).length).toBeLessThan(31 * (listedResult + 2_000));
  }
  expect((await ann.call<Execution>('GET', `/PipelineExecution/${first.id}`)).body.result).toBe(done.result);
  expect((await ann.details(copies[0] as string)).result).toBe(result);
});

test('W7.06 the query of a list reads neither the input nor a whole result', async () => {
  const queries: string[] = [];
  const { userId } = await signUp(server.url);
  const logged = drizzle(database.pool, { logger: { logQuery: (query) => queries.push(query) } });
  await executionRepository(logged).list(userId, { limit: 10, offset: 0 });
  const [query = ''] = queries.filter((text) => text.includes('order by'));
  expect(query).toContain(`left("result", ${listedResult})`);
  expect(query).not.toMatch(/"input"|[^(]"result"/);
});
