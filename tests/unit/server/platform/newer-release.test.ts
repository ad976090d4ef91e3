import http, { type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createNewerRelease } from '../../../../server/platform/newer-release.ts';
import { readSettings } from '../../../../server/settings.ts';
import { startCountingProxy } from '../../../support/services/counting-proxy.ts';

const asked: { method: string | undefined; url: string | undefined; headers: IncomingHttpHeaders }[] = [];
let respond: (response: ServerResponse) => void = () => {};
const server = http.createServer(({ method, url, headers }, response) => {
  asked.push({ method, url, headers });
  respond(response);
});
let address = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/newest.json`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked.length = 0;
});

const notes = 'https://github.com/example/artel/releases/tag/v1.4.2';
const repository = 'git+https://github.com/example/artel.git';
const tells = (value: unknown) => (response: ServerResponse) => response.end(typeof value === 'string' ? value : JSON.stringify(value));
const newest = { tag_name: 'v1.4.2', html_url: notes };

function watch(
  given: { env?: Record<string, string>; repository?: string | null; version?: string; now?: () => number; readMs?: number } = {},
) {
  const failures: unknown[] = [];
  const { env = { ARTEL_UPDATE_URL: address }, ...others } = given;
  const log = { debug: (about: unknown) => failures.push(about) };
  return { failures, ask: createNewerRelease({ version: '0.1.0', repository, settings: readSettings(env), log, ...others }) };
}

test('R10.02 a newer release is looked for once a day, when a person asks, and is told nothing but the version', async () => {
  respond = tells(newest);
  let time = 5_000;
  const { ask, failures } = watch({ now: () => time });
  expect(asked).toEqual([]);
  expect(await Promise.all([ask(), ask()])).toEqual([
    { version: '1.4.2', notes },
    { version: '1.4.2', notes },
  ]);
  time += 24 * 60 * 60 * 1_000 - 1;
  await ask();
  expect(asked).toHaveLength(1);
  const [{ method, url, headers } = { headers: {} }] = asked;
  expect({ method, url }).toEqual({ method: 'GET', url: '/newest.json' });
  expect(headers).toEqual({
    host: new URL(address).host,
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'artel/0.1.0',
    connection: 'keep-alive',
  });
  time += 1;
  respond = tells('away');
  expect(await ask()).toEqual({ version: '1.4.2', notes });
  expect(asked).toHaveLength(2);
  expect(failures).toHaveLength(1);
});

test.each([
  ['0.1.0', 'v0.1.0', false],
  ['0.1.0', '0.0.9', false],
  ['0.1.0', '0.1.1', true],
  ['0.9.0', 'v0.10.0', true],
  ['1.0.0', 'v0.99.99', false],
  ['1.9.9', 'v2.0.0', true],
])('R10.02 for %s the release %s is newer: %s', async (version, tag, isNewer) => {
  respond = tells({ ...newest, tag_name: tag });
  expect((await watch({ version }).ask()) !== null).toBe(isNewer);
});

test.each(['draft', 'prerelease'])('R10.02 a release marked as %s is none yet', async (mark) => {
  respond = tells({ ...newest, [mark]: true });
  const { ask, failures } = watch();
  expect(await ask()).toBeNull();
  expect(failures).toEqual([]);
});

test.each<[string, (response: ServerResponse) => void]>([
  ['no JSON', tells('<html>')],
  ['another form', tells([newest])],
  ['a tag that is no version', tells({ ...newest, tag_name: '<b>1.4.2</b>' })],
  ['a tag before a release', tells({ ...newest, tag_name: 'v1.4.2-rc.1' })],
  ['notes on another host', tells({ ...newest, html_url: 'https://github.com.example.org/notes' })],
  ['notes that are a script', tells({ ...newest, html_url: 'javascript:alert(1)//github.com' })],
  ['notes with a name before the host', tells({ ...newest, html_url: 'https://github.com@github.com/notes' })],
  ['a huge file', tells({ ...newest, body: 'x'.repeat(1024 * 1024) })],
  ['an error', (response) => response.writeHead(403).end(JSON.stringify(newest))],
  ['another address', (response) => response.writeHead(302, { location: notes }).end()],
  ['nothing', () => {}],
  ['a file that never ends', (response) => response.write('{')],
])('R10.02 %s in place of a release is ignored, and said to the log alone', async (_what, answer) => {
  respond = answer;
  const { ask, failures } = watch({ readMs: 300 });
  expect(await ask()).toBeNull();
  expect(asked).toHaveLength(1);
  expect(failures).toHaveLength(1);
});

test('R10.02 nothing is looked for where it is off, or where the package names no repository', async () => {
  respond = tells(newest);
  expect(await watch({ env: { ARTEL_UPDATE_URL: address, ARTEL_UPDATE_CHECK: 'off' } }).ask()).toBeNull();
  for (const none of [null, 'https://git.example.org/artel.git', 'https://github.com/'])
    expect(await watch({ env: {}, repository: none }).ask()).toBeNull();
  expect(asked).toEqual([]);
});

test.each([repository, 'github:example/artel', 'git@github.com:example/artel.git'])(
  'R10.02 of the repository %s the newest release is asked for at GitHub, through the proxy',
  async (given) => {
    const proxy = await startCountingProxy(() => ({ status: 502 }));
    const env = { HTTPS_PROXY: `http://${proxy.host}`, ARTEL_PROXY_RESOLVES: 'on' };
    const { ask, failures } = watch({ env, repository: given });
    expect(await ask()).toBeNull();
    expect(proxy.asked).toEqual(['api.github.com:443']);
    expect(failures).toHaveLength(1);
    await proxy.close();
  },
);
