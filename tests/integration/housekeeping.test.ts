import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestDatabase } from '../support/open-test-database.ts';
import { signUp } from '../support/run-account.ts';
import { startServerOnDatabase } from '../support/server-on-database.ts';
import type { TestServer } from '../support/start-server.ts';

let database: TestDatabase;
let server: TestServer;

beforeAll(async () => {
  ({ database, server } = await startServerOnDatabase());
});
afterAll(async () => {
  await server?.stop();
  await database?.remove();
});

const count = async (table: string) =>
  (await database.pool.query<{ many: number }>(`SELECT count(*)::int AS many FROM durable.${table}`)).rows[0]?.many;

test('R23.01 the notes of the durable engine go a day after a run has ended, and the run stays', async () => {
  const ann = await signUp(server.url);
  const pipeline = await ann.pipeline('assistant');
  const [old, recent] = [await ann.start(pipeline, 'Old'), await ann.start(pipeline, 'Recent')];
  for (const { id } of [old, recent]) await ann.until(id, ({ status }) => status === 'completed');
  const ended = "SELECT 1 FROM durable.workflow_status WHERE status = 'SUCCESS'";
  await expect.poll(async () => (await database.pool.query(ended)).rowCount).toBe(2);
  const yesterday = Date.now() - 25 * 60 * 60 * 1_000;
  await database.pool.query(
    'UPDATE durable.workflow_status SET created_at = $1, updated_at = $1, completed_at = $1 WHERE workflow_uuid LIKE $2',
    [yesterday, `${old.id}%`],
  );

  server = await server.restart();
  await expect.poll(() => count('workflow_status')).toBe(1);
  expect(await count('operation_outputs')).toBe(1);
  expect(await ann.details(old.id)).toMatchObject({ status: 'completed' });
  expect((await ann.logs(old.id)).at(-1)).toMatchObject({ type: 'execution.completed' });
});
