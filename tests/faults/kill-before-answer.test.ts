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

test('R23.01 a start whose server is killed during its commit is not done again when its client repeats it', async () => {
  const ann = await signUp(server.url);
  const pipeline = await ann.pipeline('assistant');
  // PostgreSQL finishes the commit after the server that requested it is gone.
  await database.pool.query(`
    CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(1.5); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER linger AFTER INSERT ON executions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION linger()`);
  const start = () =>
    ann.call<{ id: string }>(
      'POST',
      '/PipelineExecution/start',
      { pipelineId: pipeline.id, inputData: { task: 'Once' } },
      { 'idempotency-key': 'k' },
    );
  const cutOff = start().then(
    () => 'answered',
    () => 'cut off',
  );
  const committing = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
  await expect.poll(async () => (await database.pool.query(committing)).rowCount, { timeout: 20_000, interval: 20 }).toBe(1);
  await server.kill('SIGKILL');
  expect(await cutOff).toBe('cut off');

  server = await server.restart();
  const again = await start();
  expect(again.status).toBe(202);
  const { rows } = await database.pool.query<{ id: string }>('SELECT id FROM executions');
  expect(rows).toEqual([{ id: again.body.id }]);
  expect((await ann.until(again.body.id, ({ status }) => status !== 'pending' && status !== 'running')).status).toBe('completed');
});
