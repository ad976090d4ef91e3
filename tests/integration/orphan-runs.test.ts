import { afterAll, beforeAll, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.ts';
import { signUp } from '../support/run-account.ts';
import { startServerOnDatabase } from '../support/server-on-database.ts';

let parts: Awaited<ReturnType<typeof startServerOnDatabase>>;
let models: Awaited<ReturnType<typeof startModelServer>>;

beforeAll(async () => {
  models = await startModelServer();
  parts = await startServerOnDatabase({ OPENAI_BASE_URL: models.url, OPENAI_API_KEY: 'sk-any' });
});
afterAll(async () => {
  await parts?.server.stop();
  await Promise.all([parts?.database.remove(), models?.close()]);
});

test('R23.01 a run whose job is gone, as after a restore of a backup, gets another and continues', async () => {
  const { database, server } = parts;
  const ann = await signUp(server.url);
  models.answer({ kind: 'hang' });
  const run = await ann.start(await ann.pipeline('assistant', 'assistant'), 'Go on');
  await models.call(1);
  await ann.act(run.id, 'pause');
  models.release('One');
  await ann.until(run.id, ({ status }) => status === 'paused');
  models.answer({ kind: 'text', text: 'Two' });
  const { rowCount } = await database.pool.query(
    `UPDATE executions SET status = 'running', lease_epoch = lease_epoch + 1, last_seq = last_seq + 1 WHERE id = $1`,
    [run.id],
  );
  expect(rowCount).toBe(1);
  expect(await ann.until(run.id, ({ status }) => status !== 'running')).toMatchObject({ status: 'completed', result: 'Two' });
  expect(models.calls).toHaveLength(2);
});
