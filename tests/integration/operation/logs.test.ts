import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callerOf } from '../../support/call-api.ts';
import { openTestDatabase, type TestDatabase } from '../../support/open-test-database.ts';
import { signUp } from '../../support/run-account.ts';
import { type ModelServer, startModelServer } from '../../support/services/model-server.ts';
import { startServer, type TestServer } from '../../support/start-server.ts';

const operators = {
  ARTEL_SECRET_KEY: `secret-${randomBytes(24).toString('hex')}`,
  OPENAI_API_KEY: `sk-${randomBytes(16).toString('hex')}`,
  ARTEL_METRICS_TOKEN: `metrics-${randomBytes(16).toString('hex')}`,
};
const mailPassword = randomBytes(12).toString('hex');

let models: ModelServer;
let database: TestDatabase;
let server: TestServer;

beforeAll(async () => {
  models = await startModelServer();
  database = await openTestDatabase();
  const env = {
    ...operators,
    ...{ LOG_LEVEL: 'trace', ARTEL_CLIENT: 'off', ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on', OPENAI_BASE_URL: models.url },
    ...{ DATABASE_URL: database.connectionString, SMTP_URL: `smtp://artel:${mailPassword}@127.0.0.1:9` },
  };
  server = await startServer({ env });
});
afterAll(async () => {
  await server?.stop();
  await database?.remove();
  await models?.close();
});

/** The lines of the log that are JSON. */
const lines = () =>
  server
    .logs()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('R19.01 the id of a call is in its answer, in the body of its failure and in every line of the log about it', async () => {
  const refusal = await callerOf(server.url).refused('auth.login', { body: { email: 'unknown@example.com', password: 'a wrong guess' } });
  expect(refusal.headers.get('x-request-id')).toBe(refusal.requestId);
  await expect
    .poll(() => lines().filter(({ reqId }) => reqId === refusal.requestId))
    .toMatchObject([{ status: 401, req: { url: '/api/auth/login' } }]);

  await database.pool.query('ALTER TABLE projects RENAME TO elsewhere');
  try {
    const broken = await callerOf(server.url).refused('auth.register', {
      body: { email: 'broken@example.com', password: 'a quiet long phrase', name: 'B' },
    });
    expect(broken).toMatchObject({ status: 500, code: 'internal' });
    expect(JSON.stringify(broken)).not.toMatch(/projects|relation|select|insert/i);
    const told = () => lines().filter(({ reqId }) => reqId === broken.requestId);
    await expect.poll(() => told().map(({ msg }) => msg)).toEqual(['A call failed unexpectedly', 'A call was answered']);
    expect(JSON.stringify(told())).toContain('projects');
  } finally {
    await database.pool.query('ALTER TABLE elsewhere RENAME TO projects');
  }
});

test('R25.01 no password, token or key is ever in the log, at its most detailed level, after success and failure', async () => {
  const secrets = { ...operators, mailPassword, databasePassword: new URL(database.connectionString).password } as Record<string, string>;
  const ann = await signUp(server.url);
  Object.assign(secrets, { password: 'a long quiet river', accessToken: ann.accessToken, refreshToken: ann.refreshToken });

  const login = await ann.call<{ accessToken: string; refreshToken: string }>('POST', '/auth/login', {
    email: ann.email,
    password: 'a long quiet river',
  });
  const refreshed = await ann.call<{ accessToken: string; refreshToken: string }>('POST', '/auth/refresh', {
    refreshToken: login.body.refreshToken,
  });
  Object.assign(secrets, { second: login.body.accessToken, secondRefresh: login.body.refreshToken });
  Object.assign(secrets, { third: refreshed.body.accessToken, thirdRefresh: refreshed.body.refreshToken });
  Object.assign(secrets, { guess: 'an unmistakable guess', resetToken: 'r'.repeat(43), badToken: 'not.a.token-at-all' });
  Object.assign(secrets, { resetPassword: 'an unmistakable new phrase', newPassword: 'another unmistakable phrase' });
  await ann.call('POST', '/auth/login', { email: ann.email, password: secrets.guess });
  await ann.call('POST', '/auth/reset-password', {
    token: secrets.resetToken,
    newPassword: secrets.resetPassword,
  });
  await ann.call('POST', '/auth/forgot-password', { email: ann.email });
  await ann.call('POST', '/auth/change-password', {
    currentPassword: secrets.guess,
    newPassword: secrets.newPassword,
  });

  const { id } = ann.agent('assistant');
  secrets.agentKey = `sk-own-${randomBytes(12).toString('hex')}`;
  const own = { providerType: 'openai', baseUrl: models.url, apiKey: secrets.agentKey, model: 'gpt-4', temperature: 0.5, maxTokens: 100 };
  expect((await ann.call('PUT', `/nuroagent/${id}/api-configuration`, own)).status).toBe(200);
  await ann.call('PUT', `/nuroagent/${id}/api-configuration`, { ...own, temperature: 'hot' });
  await ann.call('PUT', `/nuroagent/${id}/api-configuration`, `{"apiKey": "${secrets.agentKey}", `);
  models.answer((call) => ({ kind: 'status', status: 401, message: `The key ${call.headers.authorization} is wrong` }));
  const run = await ann.start(await ann.pipeline('assistant'), 'Fail');
  const failed = await ann.until(run.id, ({ status }) => status === 'failed');
  expect(JSON.stringify(failed)).not.toContain(secrets.agentKey);

  const ticketed = await ann.call<{ ticket: string }>('POST', '/auth/socket-ticket');
  Object.assign(secrets, { ticket: ticketed.body.ticket });
  await (await ann.socket('/natsws', { ticket: secrets.ticket ?? '' })).close();
  await expect(ann.socket('/natsws', { ticket: secrets.ticket ?? '' })).rejects.toThrow('refused with 401');
  const socket = await ann.socket();
  socket.say({ type: 'token', accessToken: refreshed.body.accessToken });
  socket.say({ type: 'token', accessToken: secrets.badToken });
  expect(await socket.closed).toBe(4401);
  secrets.forged = `${ann.accessToken.slice(0, -4)}aaaa`;
  await expect(ann.socket('/natsws', { token: secrets.forged })).rejects.toThrow('refused with 401');
  await expect(ann.socket('/pipelinews/none', { token: ann.accessToken })).rejects.toThrow('refused');
  await fetch(`${server.url}/api/NATSWS?a=1&TOKEN=${secrets.forged}`);
  await fetch(`${server.url}/api/none?access_token=${ann.accessToken}&apiKey=${secrets.agentKey}&password=an+unmistakable+guess`);
  await fetch(`${server.url}/reset-password?token=${secrets.resetToken}`);
  await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${operators.ARTEL_METRICS_TOKEN}` } });
  await ann.call('POST', '/auth/logout', { refreshToken: refreshed.body.refreshToken });
  await expect.poll(() => server.logs()).toContain('An email could not be sent');
  await server.kill('SIGTERM');

  const logs = server.logs();
  expect(logs).toContain('/api/natsws?token=[redacted]');
  expect(logs).toContain('/api/natsws?ticket=[redacted]');
  for (const [name, secret] of Object.entries(secrets)) {
    for (const spelling of [secret, encodeURIComponent(secret), secret.replaceAll(' ', '+')])
      expect([name, logs.includes(spelling)]).toEqual([name, false]);
  }
});
