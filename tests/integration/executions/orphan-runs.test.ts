import { expect, test } from 'vitest';
import { signUp } from '../../support/run-account.ts';
import { setUpModelServer, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const models = setUpModelServer();
const { database, server } = setUpServerOnDatabase(() => ({ OPENAI_BASE_URL: models.url, OPENAI_API_KEY: 'sk-any' }));

test('R23.01 a run whose job is gone, as after a restore of a backup, gets another and continues', async () => {
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
