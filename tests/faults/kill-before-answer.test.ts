import { expect, test } from 'vitest';
import { signUp } from '../support/run-account.ts';
import { setUpServerOnDatabase } from '../support/set-up/for-vitest.ts';

const { database, server } = setUpServerOnDatabase({}, { ownProcess: 'It is killed.' });

test('R23.01 a start whose server is killed during the commit is not repeated when the client sends the request again', async () => {
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
  // The commit sleeps: the kill comes between the write and its answer.
  await expect.poll(async () => (await database.pool.query(committing)).rowCount, { interval: 20 }).toBe(1);
  await server.kill('SIGKILL');
  expect(await cutOff).toBe('cut off');

  await server.restart();
  const again = await start();
  expect(again.status).toBe(202);
  const { rows } = await database.pool.query<{ id: string }>('SELECT id FROM executions');
  expect(rows).toEqual([{ id: again.body.id }]);
  expect((await ann.until(again.body.id, ({ status }) => status !== 'pending' && status !== 'running')).status).toBe('completed');
});
