import { expect, test } from 'vitest';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { setUpModelServer, setUpServer } from '../../support/set-up/for-vitest.ts';
import { verifyEmail } from '../../support/verify-email.ts';

const models = setUpModelServer();
const server = setUpServer(() => ({
  ...{ HOST: '0.0.0.0', OPENAI_API_KEY: 'sk-server-wide', OPENAI_BASE_URL: models.url, ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on' },
}));

const run = async (account: RunAccount) => {
  const { id } = await account.start(await account.pipeline('assistant'), 'Plan a bakery');
  return account.until(id, ({ status }) => status === 'completed' || status === 'failed');
};
const command = async (account: RunAccount) => {
  const asked = { agentId: account.agent('qa').id, request: 'Test it' };
  return (await account.call<{ error: { code: string } | null }>('POST', '/agentcommand/execute', asked)).body;
};
const reasons = async (account: RunAccount, pipelineId: string) =>
  (await account.call<{ ready: boolean; reasons: { code: string }[] }>('GET', `/PipelineExecution/pipeline/${pipelineId}/readiness`)).body;

test('G8.11 no fresh account uses the operator’s key of a public server, also with calls at once, and each account is told what to do', async () => {
  const accounts = await Promise.all(Array.from({ length: 4 }, (_, at) => signUp(server.url, at % 2 ? 'ru' : 'en')));
  const failed = await Promise.all(accounts.map(run));
  expect(failed.map(({ error }) => error?.code)).toEqual(accounts.map(() => 'model_owner_unverified'));
  const [english, russian] = failed.map(({ error }) => error?.message);
  expect(english).toContain('Confirm yours by the link');
  expect(russian).toContain('Подтвердите адрес');
  expect((await command(accounts[0] as RunAccount)).error?.code).toBe('model_owner_unverified');
  expect(models.calls).toHaveLength(0);
});

test('G8.11 a confirmed address may use the key, and a new address has to be confirmed again', async () => {
  const ann = await signUp(server.url);
  const { id } = await ann.pipeline('assistant');
  expect(await reasons(ann, id)).toMatchObject({ ready: false, reasons: [{ code: 'model_owner_unverified' }] });
  await verifyEmail(server, ann.email);
  expect(await reasons(ann, id)).toEqual({ ready: true, reasons: [] });
  expect(await run(ann)).toMatchObject({ status: 'completed', result: 'Answer 1' });
  expect(models.calls[0]?.headers.authorization).toBe('Bearer sk-server-wide');
  const email = `new-${ann.email}`;
  expect((await ann.call('PUT', '/auth/profile', { email, currentPassword: 'a long quiet river' })).status).toBe(200);
  expect((await run(ann)).error?.code).toBe('model_owner_unverified');
});

test('G8.11 an account without a confirmed address works with a key of its own', async () => {
  const bob = await signUp(server.url);
  const own = { baseUrl: models.url, apiKey: 'sk-of-bob' };
  await bob.call('PUT', `/nuroagent/${bob.agent('assistant').id}/api-configuration`, own);
  expect(await run(bob)).toMatchObject({ status: 'completed', result: 'Answer 1' });
  expect(models.calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer sk-of-bob']);
});
