import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { errorCodes } from '../../../contract/errors.ts';
import { languageOf, translate } from '../../../server/http/language.ts';
import { callerOf, signUp } from '../../support/call-api.ts';
import { setUp, setUpServer, startAnother } from '../../support/set-up/for-vitest.ts';
import { natsUrl } from '../../support/test-services.ts';

const server = setUpServer({ ALLOWED_ORIGINS: 'https://app.example', LOG_LEVEL: 'trace', ARTEL_CLIENT: 'on' });
const stranger = setUp(async () => callerOf(server.url));

const at = (path: string, init?: RequestInit) => fetch(`${server.url}${path}`, init);

test('R10.01 probes and health say that the server is up, by every name', async () => {
  expect((await at('/live')).status).toBe(200);
  for (const path of ['/ready', '/health', '/api/health']) {
    const response = await at(path);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      status: 'ok',
      database: 'up',
      bus: { mode: natsUrl === null ? 'embedded' : 'nats', connected: true },
    });
  }
});

test('W7.05 paths are matched in any case, as the specification writes them', async () => {
  const member = await signUp(server.url);
  for (const path of ['/api/Pipeline', '/api/pipeline', '/API/PIPELINE', '/api/pipeline/']) {
    const response = await at(path, { headers: { authorization: `Bearer ${member.accessToken}` } });
    expect([path, response.status, await response.json()]).toEqual([path, 200, []]);
  }
});

test('R19.01 clients that break off their connections are no fault of the server', async () => {
  const port = Number(new URL(server.url).port);
  const breakOff = async (path: string) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    socket.resetAndDestroy();
  };
  const before = server.logs().length;
  for (let round = 0; round < 20; round += 1)
    await Promise.all(
      ['/', '/api/project', '/api/health', '/hooks/x', '/api/natsws', '/mcp'].flatMap((path) => [breakOff(path), breakOff(path)]),
    );
  expect((await at('/live')).status).toBe(200);
  await expect.poll(() => server.logs().slice(before)).toContain('A call was answered');
  expect(server.logs().slice(before)).not.toContain('"level":50');
});

test.each([
  ['a body that is not JSON', '{"email":', 'application/json', 400, 'not_json'],
  ['no body where one is needed', '', 'application/json', 400, 'bad_request'],
  ['a body of another type', '<email/>', 'application/xml', 415, 'unsupported_media_type'],
  ['a poisoned body', '{"__proto__":{"isStaff":true}}', 'application/json', 400, 'not_json'],
  ['a body that is too large', `{"email":"${'x'.repeat(1_100_000)}"}`, 'application/json', 413, 'too_large'],
])('R19.01 %s gets the one error body', async (_, body, type, status, code) => {
  const refusal = await stranger.refused('auth.login', { body, headers: { 'content-type': type } });
  expect(refusal).toMatchObject({ status, code });
  expect(refusal.headers.get('x-request-id')).toBe(refusal.requestId);
});

test.each([
  ['a body in Windows-1251', Buffer.from('7b22656d61696c223a22cef2f7b8f2227d', 'hex'), 'application/json', 400, 'not_utf8'],
  ['a body that is cut within a character', Buffer.from('7b22656d61696c223a22d0227d', 'hex'), 'application/json', 400, 'not_utf8'],
  ['a body in UTF-16', Buffer.from('\ufeff{"email":"a"}', 'utf16le'), 'application/json', 400, 'not_utf8'],
  ['a body that names another encoding', '{"email":"a"}', 'application/json; charset=windows-1251', 415, 'unsupported_media_type'],
])('G8.45 %s is refused', async (_, body, type, status, code) => {
  expect(await stranger.refused('auth.login', { body, headers: { 'content-type': type } })).toMatchObject({ status, code });
});

test('R19.01 the canvas takes bodies that other calls refuse', async () => {
  const member = await signUp(server.url);
  const ids = Array.from({ length: 1_300 }, (_, index) => `n${index}`);
  const node = (id: string) => ({ id, type: 'start' as const, title: 'x', description: 'y'.repeat(4_000), x: 0, y: 0 });
  const body = { baseVersion: 1, nodes: Object.fromEntries(ids.map((id) => [id, node(id)])), connections: {} };
  expect((await member.send('project.putCanvas', { params: { id: 'default' }, body })).status).toBe(200);
  const tooLarge = { ...body, padding: 'z'.repeat(17_000_000) };
  const refusal = await member.refused('project.putCanvas', { params: { id: 'default' }, body: tooLarge });
  expect(refusal).toMatchObject({ status: 413, code: 'too_large', message: 'Запрос слишком большой. Допустимо не больше 16 MiB.' });
});

test('R19.01 a client that is still sending a body that is too large reads the refusal, and its connection stays open', async () => {
  const { port } = new URL(server.url);
  const socket = connect(Number(port), '127.0.0.1');
  const failed = new Promise<never>((_, reject) => socket.once('error', reject).once('close', () => reject(new Error('closed'))));
  let heard = '';
  socket.on('data', (data) => {
    heard += data;
  });
  const hears = (text: string) =>
    // A connection that fails ends the wait with its reason.
    Promise.race([failed, vi.waitFor(() => expect(heard).toContain(text), { timeout: 10_000, interval: 20 })]);
  const length = 8_000_000;
  socket.write(`POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`);
  socket.write('x'.repeat(length / 2));
  await hears('"code":"too_large"');
  socket.write(`${'x'.repeat(length / 2)}GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await hears('HTTP/1.1 200');
  socket.removeAllListeners('close').destroy();
});

test("R19.01 a stranger's large body is refused before it is read", async () => {
  const refusal = await stranger.refused('project.putCanvas', { params: { id: 'default' }, body: '{' });
  expect(refusal).toMatchObject({ status: 401, code: 'unauthorized' });
});

test('R19.01 wrong fields are listed by their path, in the language of the caller', async () => {
  const body = { email: 'missing', password: '' };
  const russian = await stranger.refused('auth.login', { body });
  const english = await stranger.refused('auth.login', { body, headers: { 'accept-language': 'en-GB,en;q=0.9,ru;q=0.4' } });
  expect(russian.errors?.map(({ path }) => path)).toEqual(['email', 'password']);
  expect(russian.message).toBe('Запрос заполнен неверно.');
  expect(english.message).toBe('The request is not filled in correctly.');
  expect(english.errors?.[0]?.message).not.toBe(russian.errors?.[0]?.message);
  expect(english.headers.get('content-language')).toBe('en');
});

test.each([
  [undefined, 'ru'],
  ['de', 'ru'],
  ['en', 'en'],
  ['en-US,en;q=0.5', 'en'],
  ['de,en;q=0.3', 'en'],
  ['en;q=0.5,ru;q=0.8', 'ru'],
  ['en;q=0', 'ru'],
])('R19.01 the language of %s is %s', (header, language) => {
  expect(languageOf(header)).toBe(language);
});

test('R19.01 an endless language header is not read to its end', () => {
  expect(languageOf(`${'x,'.repeat(100_000)}en`)).toBe('ru');
});

test('R19.01 every error code has a sentence in both languages', () => {
  for (const code of errorCodes) {
    expect(translate('ru', code)).toMatch(/^[А-ЯЁ].*[.?]$/);
    expect(translate('en', code)).toMatch(/^[A-Z].*[.?]$/);
  }
});

test.each(['/api/nothing', '/api', '/api/', '/API/Nothing', '/assets/none.js', '/%zz'])(
  'R19.01 an unknown address is not found: %s',
  async (path) => {
    const response = await at(path, { headers: { accept: 'text/html' } });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'not_found' });
  },
);

test('R19.01 an invalid id is a bad request, and an unknown method is not found', async () => {
  const member = await signUp(server.url);
  expect(await member.refused('agent.get', { params: { id: 'default' } })).toMatchObject({ status: 400, errors: [{ path: 'id' }] });
  expect((await at('/api/auth/config', { method: 'DELETE' })).status).toBe(404);
});

test('R10.01 the API describes itself, for programs and for people', async () => {
  const document = (await (await at('/api/openapi.json')).json()) as { paths: Record<string, Record<string, unknown>> };
  expect(document.paths['/auth/login']).toHaveProperty('post');
  const page = await at('/api/docs', { headers: { accept: 'text/html' } });
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self';");
  expect(await page.text()).not.toMatch(/<script>|https?:/);
  const plain = await at('/api/openapi.json', { headers: { 'accept-encoding': 'identity' } });
  expect([plain.headers.get('content-encoding'), await plain.json()]).toEqual([null, document]);
  const script = await at('/api/docs/scalar.js');
  expect([script.status, script.headers.get('content-encoding')]).toEqual([200, 'gzip']);
  expect(await script.text()).toContain('createApiReference');
});

test('only the server itself and the origins that the operator named may call from a page', async () => {
  const preflight = (origin: string) =>
    at('/api/auth/login', { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } });
  const named = await preflight('https://app.example');
  expect(named.status).toBe(204);
  expect(named.headers.get('access-control-allow-origin')).toBe('https://app.example');
  expect(named.headers.get('access-control-allow-headers')).toContain('authorization');
  expect(named.headers.get('access-control-allow-credentials')).toBeNull();
  for (const origin of ['https://evil.example', 'https://app.example.evil.example', 'null']) {
    expect((await preflight(origin)).headers.get('access-control-allow-origin')).toBeNull();
  }
  const own = await at('/api/auth/config', { headers: { origin: server.url } });
  expect(own.headers.get('access-control-allow-origin')).toBe(server.url);
});

test('P7.04 the diagnostic probes of the client are answered', async () => {
  expect((await at('/health')).status).toBe(200);
  expect((await at('/api/auth/login', { method: 'OPTIONS' })).status).toBe(204);
});

test('R10.01 no inline or evaluated script may run, and no other site may frame the page', async () => {
  const { headers } = await at('/api/auth/config');
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("script-src 'self';");
  expect(policy.match(/script-src[^;]*unsafe/)).toBeNull();
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('upgrade-insecure-requests');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('strict-transport-security')).toBeNull();
});

test('R05.01 with real time switched off the server says so and opens no socket', async () => {
  const quiet = await startAnother({ env: { ARTEL_REALTIME: 'off' } });
  try {
    expect(await callerOf(quiet.url).ask('auth.config')).toMatchObject({ realtime: 'off' });
    const member = await signUp(quiet.url);
    const { port } = new URL(quiet.url);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.once('data', (data) => resolve(String(data).split('\r\n')[0] ?? '')).once('error', reject);
      socket.write(
        `GET /api/natsws?token=${member.accessToken} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
      );
    });
    expect(answer).toBe('HTTP/1.1 404 Not Found');
  } finally {
    await quiet.stop();
  }
});
