import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { awayFromMidnight } from '../../support/away-from-midnight.ts';
import { anthropicProtocol } from '../../support/model-protocols/anthropic-protocol.ts';
import { gigaChatProtocol } from '../../support/model-protocols/gigachat-protocol.ts';
import { yandexProtocol } from '../../support/model-protocols/yandex-protocol.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { type ModelServer, startModelServer } from '../../support/services/model-server.ts';
import { startTokenServer, type TokenServer } from '../../support/services/token-server.ts';
import { untrustedCertificate } from '../../support/services/untrusted-certificate.ts';
import { startServer, type TestServer } from '../../support/start-server.ts';

const key = 'key-of-an-agent-0123456789';
let folder: string;
let claude: ModelServer;
let giga: ModelServer;
let yandex: ModelServer;
let tokens: TokenServer;
let server: TestServer;
let ann: RunAccount;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'artel-ca-'));
  const authority = join(folder, 'authority.pem');
  await writeFile(authority, untrustedCertificate.cert);
  [claude, giga, yandex, tokens] = await Promise.all([
    startModelServer(anthropicProtocol),
    startModelServer(gigaChatProtocol),
    startModelServer(yandexProtocol),
    startTokenServer(untrustedCertificate),
  ]);
  server = await startServer({
    env: {
      ARTEL_CLIENT: 'off',
      ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on',
      ARTEL_DAILY_TOKENS: '8000',
      ANTHROPIC_API_KEY: 'sk-ant-server-wide',
      ANTHROPIC_BASE_URL: claude.url,
      GIGACHAT_AUTH_URL: tokens.url,
      GIGACHAT_SCOPE: 'GIGACHAT_API_CORP',
      NODE_EXTRA_CA_CERTS: authority,
    },
  });
  ann = await signUp(server.url);
});
afterAll(async () => {
  await server?.stop();
  await Promise.all([claude, giga, yandex, tokens].map((each) => each?.close()));
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  for (const models of [claude, giga, yandex]) {
    models.calls.length = 0;
    models.answer({ kind: 'text', text: 'I think.\n\n# Answer\n\nDone.' });
  }
});

const configure = async (account: RunAccount, agent: string, body: object) => {
  const answer = await account.call('PUT', `/nuroagent/${account.agent(agent).id}/api-configuration`, body);
  expect(answer.status).toBe(200);
  return answer.body;
};
const run = async (account: RunAccount, ...agents: string[]) => {
  const execution = await account.start(await account.pipeline(...agents), 'Plan a bakery');
  return account.until(execution.id, ({ status }) => status === 'completed' || status === 'failed');
};

describe('an agent with a provider and a key of its own', () => {
  test('R25.01 an agent calls GigaChat, whose token server is trusted by the operator’s root certificate', async () => {
    await configure(ann, 'assistant', { providerType: 'gigachat', baseUrl: giga.url, apiKey: key });
    const done = await run(ann, 'assistant');
    expect(done).toMatchObject({ status: 'completed', result: 'Done.' });
    expect(done.steps[0]).toMatchObject({ provider: 'gigachat', model: 'GigaChat-2', simulated: false });
    expect(tokens.exchanges[0]).toMatchObject({ form: { scope: 'GIGACHAT_API_CORP' }, headers: { authorization: `Basic ${key}` } });
    expect(tokens.knows(giga.calls[0]?.headers.authorization)).toBe(true);
  });

  test('R25.01 an agent calls YandexGPT with its folder', async () => {
    const settings = { providerType: 'yandexgpt', model: 'yandexgpt', baseUrl: yandex.url, folderId: 'b1g0folder', apiKey: key };
    expect(await configure(ann, 'qa', settings)).toMatchObject({ folderId: 'b1g0folder', hasKey: true });
    const done = await run(ann, 'qa');
    expect(done).toMatchObject({ status: 'completed', result: 'Done.' });
    expect(yandex.calls[0]).toMatchObject({
      headers: { authorization: `Api-Key ${key}` },
      body: { model: 'gpt://b1g0folder/yandexgpt/latest' },
    });
  });

  test('R25.01 an agent calls Anthropic, and an error has its cause but not the key', async () => {
    await configure(ann, 'team-lead', { providerType: 'anthropic', model: 'claude-3-haiku', baseUrl: claude.url, apiKey: key });
    expect((await run(ann, 'team-lead')).steps[0]).toMatchObject({ provider: 'anthropic', model: 'claude-haiku-4-5', result: 'Done.' });
    expect(claude.calls[0]?.headers['x-api-key']).toBe(key);
    claude.answer({ kind: 'status', status: 404, message: `model: claude-haiku-4-5 is retired, ${key}` });
    const failed = await run(ann, 'team-lead');
    expect(failed.error).toMatchObject({ code: 'model_not_found' });
    expect(failed.error?.message).toContain('model: claude-haiku-4-5 is retired, ***');
    expect(server.logs()).not.toContain(key);
  });

  test('R25.01 an agent that changes to GigaChat does not keep a key that was saved for another host', async () => {
    await configure(ann, 'analyst', { baseUrl: giga.url, apiKey: key });
    expect(await configure(ann, 'analyst', { providerType: 'gigachat' })).toMatchObject({ hasKey: false, model: 'GigaChat-2' });
  });

  test('W9.04 an agent gets the default model of a new provider, unless a user has set its model', async () => {
    expect(await configure(ann, 'proj-mgr', { providerType: 'anthropic' })).toMatchObject({ model: 'claude-sonnet-5-5' });
    expect(await configure(ann, 'proj-mgr', { model: 'my-model' })).toMatchObject({ providerType: 'anthropic' });
    expect(await configure(ann, 'proj-mgr', { providerType: 'openai' })).toMatchObject({ model: 'my-model' });
    expect(await configure(ann, 'proj-mgr', { providerType: 'yandexgpt', model: 'yandexgpt' })).toMatchObject({ model: 'yandexgpt' });
  });

  test.each(['a b', 'b1g/../x', ''])('R25.01 an agent is refused an invalid folder: %j', async (folderId) => {
    const path = `/nuroagent/${ann.agent('developer').id}/api-configuration`;
    expect(await ann.call('PUT', path, { folderId })).toMatchObject({ status: 400, body: { errors: [{ path: 'folderId' }] } });
  });
});

test('W8.04 a certificate that this server does not trust has a clear error', async () => {
  const house = await server.restart({ NODE_EXTRA_CA_CERTS: '' });
  server = house;
  const execution = await ann.start(await ann.pipeline('assistant'), 'Again');
  const failed = await ann.until(execution.id, ({ status }) => status === 'failed');
  expect(failed.error?.code).toBe('model_untrusted');
  expect(failed.error?.message).toContain('NODE_EXTRA_CA_CERTS');
  expect(failed.error?.message).toContain(new URL(tokens.url).host);
  expect(giga.calls).toHaveLength(0);
});

describe('the key of the server', () => {
  beforeEach(awayFromMidnight);

  test('R25.01 the server’s key has a daily token limit for each user; the step says when the limit is reset, and a user’s own key still works', async () => {
    const [bob, cleo] = await Promise.all([signUp(server.url), signUp(server.url, 'ru')]);
    for (const account of [bob, cleo])
      for (const agent of ['assistant', 'developer', 'qa'])
        await configure(account, agent, { providerType: 'anthropic', maxTokens: agent === 'qa' ? 8_000 : 4_000 });
    const failed = await run(bob, 'assistant', 'developer', 'qa');
    expect(failed.steps.map(({ status }) => status)).toEqual(['completed', 'completed', 'failed']);
    expect(failed.error).toMatchObject({ code: 'model_budget_spent', message: expect.stringContaining('00:00 UTC') });
    expect(claude.calls.map(({ headers }) => headers['x-api-key'])).toEqual(['sk-ant-server-wide', 'sk-ant-server-wide']);

    expect((await run(cleo, 'assistant')).status).toBe('completed');
    await configure(bob, 'qa', { baseUrl: claude.url, apiKey: key });
    expect((await run(bob, 'qa')).status).toBe('completed');
    await configure(bob, 'assistant', { maxTokens: 8_000 });
    expect((await run(bob, 'assistant')).error).toMatchObject({ code: 'model_budget_spent' });
  });
});
