import { expect, test } from 'vitest';
import { signUp } from '../../support/run-account.ts';
import { setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const { database, server } = setUpServerOnDatabase();

test('R25.01 a stored key that cannot be decrypted fails the step with a sentence, and no other model answers', async () => {
  const ann = await signUp(server.url);
  const { id } = ann.agent('qa');
  await ann.call('PUT', `/nuroagent/${id}/api-configuration`, { apiKey: 'sk-a-key-of-annas-own' });
  await database.pool.query("UPDATE agents SET api_key_sealed = 'v1.AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA' WHERE id = $1", [id]);
  const execution = await ann.start(await ann.pipeline('qa'), 'Check it');
  const failed = await ann.until(execution.id, ({ status }) => status === 'failed');
  expect(failed.error).toMatchObject({ code: 'model_key_unreadable', message: expect.stringContaining('Enter the key again') });
});
