import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLocalOnly, readSettings, settingsWarnings } from '../../../server/settings.ts';
import { startServerThatExits } from '../../support/start-server.ts';

test('R10.01 without any setting the server listens on loopback, port 5001, with open sign-up', () => {
  const settings = readSettings({});
  expect(settings).toMatchObject({ port: 5001, host: '127.0.0.1', registration: 'open', realtime: 'auto', testPages: true });
  expect(settings).toMatchObject({ dailyTokens: 1_000_000, gigaChatScope: 'GIGACHAT_API_PERS' });
  expect(settings).toMatchObject({ databaseUrl: null, secretKey: null, allowPrivateHosts: false, trustProxy: false });
});

test('R10.01 a port with a plus lets the next one be taken', () => {
  expect(readSettings({ PORT: '8080+' })).toMatchObject({ port: 8080, takesNextPort: true });
  expect(readSettings({ PORT: '8080' })).toMatchObject({ port: 8080, takesNextPort: false });
});

test('R10.01 an empty variable counts as absent', () => {
  expect(readSettings({ PORT: '', OPENAI_API_KEY: ' ', ARTEL_REGISTRATION: '' })).toMatchObject({
    port: 5001,
    openaiApiKey: null,
    registration: 'open',
  });
});

test('R10.01 each setting is read in its own form', () => {
  const settings = readSettings({
    PORT: '0',
    HOST: '0.0.0.0',
    PUBLIC_URL: 'https://artel.example/',
    ARTEL_TEST_PAGES: 'off',
    ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: '1',
    ARTEL_REALTIME: 'off',
    ARTEL_DAILY_TOKENS: '0',
    ANTHROPIC_BASE_URL: 'http://gateway.internal:4000',
    ARTEL_STAFF_EMAILS: 'Anna@Example.com, boris@example.com',
    ALLOWED_ORIGINS: 'https://a.example/, http://b.example:8080',
    TRUST_PROXY: '2',
    ARTEL_WAIT_SECONDS: '5',
  });
  expect(settings).toMatchObject({ port: 0, publicUrl: 'https://artel.example', testPages: false, allowPrivateHosts: true });
  expect(settings).toMatchObject({ waitSeconds: 5, dailyTokens: 0, anthropicBaseUrl: 'http://gateway.internal:4000' });
  expect(settings).toMatchObject({ realtime: 'off', trustProxy: 2, staffEmails: ['anna@example.com', 'boris@example.com'] });
  expect(settings.allowedOrigins).toEqual(['https://a.example', 'http://b.example:8080']);
  expect(readSettings({ TRUST_PROXY: '10.0.0.0/8, 127.0.0.1' }).trustProxy).toEqual(['10.0.0.0/8', '127.0.0.1']);
});

test.each([
  [{ PORT: '70000' }, 'PORT'],
  [{ PORT: 'http' }, 'PORT'],
  [{ ARTEL_REGISTRATION: 'sometimes' }, 'ARTEL_REGISTRATION'],
  [{ ARTEL_REALTIME: 'yes' }, 'ARTEL_REALTIME'],
  [{ ARTEL_SOCKET_TOKENS: 'maybe' }, 'ARTEL_SOCKET_TOKENS'],
  [{ ARTEL_TEST_PAGES: 'maybe' }, 'ARTEL_TEST_PAGES'],
  [{ ARTEL_WAIT_SECONDS: '601' }, 'ARTEL_WAIT_SECONDS'],
  [{ ARTEL_SHUTDOWN_DELAY_SECONDS: '61' }, 'ARTEL_SHUTDOWN_DELAY_SECONDS'],
  [{ ARTEL_SHUTDOWN_DELAY_SECONDS: '-1' }, 'ARTEL_SHUTDOWN_DELAY_SECONDS'],
  [{ ARTEL_KEEP_RUNS_DAYS: '0' }, 'ARTEL_KEEP_RUNS_DAYS'],
  [{ ARTEL_KEEP_EVENTS_DAYS: '0' }, 'ARTEL_KEEP_EVENTS_DAYS'],
  [{ ARTEL_KEEP_VERSIONS_DAYS: '0' }, 'ARTEL_KEEP_VERSIONS_DAYS'],
  [{ ARTEL_VERSIONS_MB: '0' }, 'ARTEL_VERSIONS_MB'],
  [{ ARTEL_ACCOUNT_MB: 'all' }, 'ARTEL_ACCOUNT_MB'],
  [{ ARTEL_ACCOUNT_PROJECTS: '0' }, 'ARTEL_ACCOUNT_PROJECTS'],
  [{ ARTEL_ACCOUNT_PIPELINES: '0' }, 'ARTEL_ACCOUNT_PIPELINES'],
  [{ ARTEL_FREE_DISK_MB: '-1' }, 'ARTEL_FREE_DISK_MB'],
  [{ ARTEL_METRICS: 'yes' }, 'ARTEL_METRICS'],
  [{ ARTEL_METRICS_TOKEN: 'short' }, 'ARTEL_METRICS_TOKEN'],
  [{ DATABASE_URL: 'mysql://localhost/artel' }, 'DATABASE_URL'],
  [{ DATABASE_URL: 'postgres://localhost/artel' }, 'ARTEL_SECRET_KEY'],
  [{ ARTEL_SECRET_KEY: 'short' }, 'ARTEL_SECRET_KEY'],
  [{ PUBLIC_URL: 'artel.example' }, 'PUBLIC_URL'],
  [{ SMTP_URL: 'http://mail.example' }, 'SMTP_URL'],
  [{ NATS_URL: 'http://nats.example' }, 'NATS_URL'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
  [{ ARTEL_STAFF_EMAILS: 'anna' }, 'ARTEL_STAFF_EMAILS'],
  [{ ALLOWED_ORIGINS: 'a.example' }, 'ALLOWED_ORIGINS'],
  [{ OPENAI_BASE_URL: 'api.openai.com' }, 'OPENAI_BASE_URL'],
  [{ ANTHROPIC_BASE_URL: 'https://me:hush@gateway.example' }, 'ANTHROPIC_BASE_URL'],
  [{ GIGACHAT_AUTH_URL: 'ngw.example' }, 'GIGACHAT_AUTH_URL'],
  [{ GIGACHAT_SCOPE: 'EVERYTHING' }, 'GIGACHAT_SCOPE'],
  [{ ARTEL_DAILY_TOKENS: 'many' }, 'ARTEL_DAILY_TOKENS'],
  [{ ARTEL_DAILY_TOKENS: '-1' }, 'ARTEL_DAILY_TOKENS'],
] as [Record<string, string>, string][])('R10.01 a wrong setting is named in one line: %o', (env, name) => {
  expect(() => readSettings(env)).toThrow(new RegExp(`^${name} [^\n]+\\.$`));
});

test('R10.01 a wrong secret is named without being shown', () => {
  expect(() => readSettings({ ARTEL_SECRET_KEY: 'hush-hush' })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('hush') }),
  );
});

test('R10.01 the server ends with one clear line before anything starts when a setting is wrong', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'artel-test-'));
  try {
    const { code, output } = await startServerThatExits({ PORT: 'many', DATA_DIR: join(folder, 'data') });
    expect(code).toBe(1);
    expect(output).toBe('Artel cannot start: PORT must be a port number from 0 to 65535.\n');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('R13.01 the server is local only on loopback, without a proxy before it and without a public address', () => {
  const local = { host: '127.0.0.1', trustProxy: false, publicUrl: null };
  for (const host of ['127.0.0.1', '127.0.0.2', '::1', 'localhost']) expect(isLocalOnly({ ...local, host })).toBe(true);
  expect(isLocalOnly({ ...local, host: '0.0.0.0' })).toBe(false);
  expect(isLocalOnly({ ...local, trustProxy: 1 })).toBe(false);
  expect(isLocalOnly({ ...local, publicUrl: 'https://artel.example' })).toBe(false);
  expect(isLocalOnly({ ...local, publicUrl: 'http://localhost:5001' })).toBe(true);
});

test('R10.01 the server warns of settings that let clients choose their address, and of metrics that no caller can read', () => {
  expect(settingsWarnings(readSettings({}))).toEqual([]);
  expect(settingsWarnings(readSettings({ TRUST_PROXY: '1' }))).toEqual([]);
  expect(settingsWarnings(readSettings({ TRUST_PROXY: 'on' }))).toEqual([expect.stringContaining('TRUST_PROXY')]);
  const open = { PUBLIC_URL: 'https://artel.example' };
  expect(settingsWarnings(readSettings(open))).toEqual([expect.stringContaining('ARTEL_METRICS_TOKEN')]);
  expect(settingsWarnings(readSettings({ ...open, ARTEL_METRICS_TOKEN: 'a token of some length' }))).toEqual([]);
});

test('G8.12 all users together may use ten times the tokens of one on the keys of the server, or as many as the operator says', () => {
  expect(readSettings({})).toMatchObject({ dailyTokensOfAll: 10_000_000 });
  expect(readSettings({ ARTEL_DAILY_TOKENS: '0' })).toMatchObject({ dailyTokensOfAll: 0 });
  expect(readSettings({ ARTEL_DAILY_TOKENS: '0', ARTEL_DAILY_TOKENS_OF_ALL: '500' })).toMatchObject({ dailyTokensOfAll: 500 });
  expect(() => readSettings({ ARTEL_DAILY_TOKENS_OF_ALL: '-1' })).toThrow('ARTEL_DAILY_TOKENS_OF_ALL');
});

test('G8.11 model keys that no account can use, since no confirmation is sent, are warned of', () => {
  const key = { OPENAI_API_KEY: 'sk-server' };
  expect(settingsWarnings(readSettings(key))).toEqual([]);
  for (const open of [{ HOST: '0.0.0.0' }, { TRUST_PROXY: '1' }]) {
    expect(settingsWarnings(readSettings({ ...key, ...open }))).toEqual([expect.stringContaining('SMTP_URL')]);
    expect(settingsWarnings(readSettings({ ...key, ...open, SMTP_URL: 'smtp://mail.example' }))).toEqual([]);
  }
});
