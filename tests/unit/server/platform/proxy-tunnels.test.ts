import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createEgress, HostRefused, isHostAllowed } from '../../../../server/platform/egress/egress.ts';
import { HostList } from '../../../../server/platform/egress/private-hosts.ts';
import { readSettings } from '../../../../server/settings.ts';
import { startCountingProxy } from '../../../support/services/counting-proxy.ts';
import { untrustedCertificate } from '../../../support/services/untrusted-certificate.ts';

const lookup = vi.hoisted(() => vi.fn());
vi.mock('node:dns/promises', () => ({ lookup }));

const answers = (...ips: string[]) => lookup.mockResolvedValue(ips.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));

const seen: { host: string | undefined; path: string | undefined }[] = [];
const names: string[] = [];
const target = http.createServer((request, response) => {
  seen.push({ host: request.headers.host, path: request.url });
  response.end('hello');
});
const SNICallback = (name: string, done: (error: Error | null) => void) => {
  names.push(name);
  done(null);
};
const secure = https.createServer({ ...untrustedCertificate, SNICallback }, (request, response) => {
  seen.push({ host: request.headers.host, path: request.url });
  response.end('hello');
});
let proxy: Awaited<ReturnType<typeof startCountingProxy>>;
let answer: 'plain' | 'secure' | 'nothing' | number = 'plain';
const portOf = (server: http.Server | https.Server) => (server.address() as AddressInfo).port;

beforeAll(async () => {
  for (const server of [target, secure]) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy = await startCountingProxy(() => {
    if (typeof answer === 'number') return { status: answer };
    return answer === 'nothing' ? 'nothing' : { port: portOf(answer === 'plain' ? target : secure) };
  });
});
afterAll(async () => {
  await proxy.close();
  for (const server of [target, secure]) {
    server.closeAllConnections();
    server.close();
  }
});
beforeEach(() => {
  lookup.mockReset();
  answer = 'plain';
  for (const list of [seen, names, proxy.asked, proxy.credentials, proxy.plain]) list.length = 0;
});

const through = (env: Record<string, string> = {}) => {
  const address = `http://${proxy.host}`;
  return readSettings({ HTTPS_PROXY: address, HTTP_PROXY: address, ...env }).proxies;
};
const users = (env?: Record<string, string>) => createEgress({ allowPrivate: false, proxies: through(env), idleTimeoutMs: 500 });

test('R25.01 the proxy is asked for the address that was judged, once for two calls, and the host reads its own name', async () => {
  answers('2606:4700::1111', '93.184.215.14');
  const call = users();
  for (const path of ['/one', '/two']) expect(await (await call(`http://models.example:8080${path}`)).text()).toBe('hello');
  expect(proxy.asked).toEqual(['93.184.215.14:8080']);
  expect(proxy.plain).toEqual([]);
  expect(lookup).toHaveBeenCalledTimes(1);
  expect(seen).toEqual([
    { host: 'models.example:8080', path: '/one' },
    { host: 'models.example:8080', path: '/two' },
  ]);
});

test('R25.01 an address of IPv6 alone is asked for in brackets', async () => {
  answers('2606:4700::1111');
  expect(await (await users()('http://models.example/')).text()).toBe('hello');
  expect(proxy.asked).toEqual(['[2606:4700::1111]:80']);
});

test('R25.01 the certificate is checked by the name of the host behind the proxy', async () => {
  answer = 'secure';
  answers('93.184.215.14');
  const before = tls.getCACertificates();
  try {
    await expect(users()('https://models.example/')).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    tls.setDefaultCACertificates([...before, untrustedCertificate.cert]);
    await expect(users()('https://models.example/')).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  } finally {
    tls.setDefaultCACertificates(before);
  }
  expect(names).toEqual(['models.example', 'models.example']);
  expect(proxy.asked).toEqual(['93.184.215.14:443', '93.184.215.14:443']);
  expect(seen).toEqual([]);
});

test.each([
  ...['http://127.0.0.1/', 'http://127.1/', 'http://2130706433/', 'http://0x7f000001/', 'http://0177.0.0.1/', 'http://0.0.0.0/'],
  ...['http://[::1]/', 'http://[::]/', 'http://[::ffff:127.0.0.1]/', 'http://[::127.0.0.1]/', 'http://[64:ff9b::7f00:1]/'],
  ...['http://[2002:7f00:1::]/', 'http://①②⑦.0.0.1/', 'http://10.0.0.1/', 'http://169.254.169.254/', 'https://192.168.0.1/'],
])('R25.01 %s is refused before the proxy is asked, with names resolved here or by the proxy', async (address) => {
  for (const resolves of ['off', 'on']) await expect(users({ ARTEL_PROXY_RESOLVES: resolves })(address)).rejects.toThrow(HostRefused);
  expect(proxy.asked).toEqual([]);
});

test.each([[['127.0.0.1']], [['93.184.215.14', '10.0.0.1']], [['2606:4700::1111', '::ffff:169.254.169.254']], [[]]])(
  'R25.01 a name with a closed address among its own, or none, is refused before the proxy is asked: %j',
  async (ips) => {
    answers(...ips);
    await expect(users()('http://models.example/')).rejects.toThrow(HostRefused);
    expect(proxy.asked).toEqual([]);
  },
);

test('R25.01 this machine is called without the proxy where the operator has chosen it, by its number and by a name', async () => {
  answers('127.0.0.1');
  const call = createEgress({ allowPrivate: true, proxies: through() });
  for (const host of ['127.0.0.1', 'here.example']) expect(await (await call(`http://${host}:${portOf(target)}/`)).text()).toBe('hello');
  expect(proxy.asked).toEqual([]);
});

test('R25.01 where only the proxy resolves names, it gets the name, and nothing is looked up here', async () => {
  const env = { ARTEL_PROXY_RESOLVES: 'on' };
  expect(await (await users(env)('http://models.example/')).text()).toBe('hello');
  expect(proxy.asked).toEqual(['models.example:80']);
  const local = ['intranet', 'wiki.local', 'gitlab.firm.lan', 'localhost.', 'kubernetes.default.svc', 'redis.consul'];
  const dotted = ['169.254.169.254..', '..169.254.169.254..', 'localhost..', 'metadata.google.internal..'];
  for (const host of [...local, ...dotted, 'metadata.google.internal', 'metadata.goog'])
    await expect(users(env)(`http://${host}/`)).rejects.toThrow(HostRefused);
  const listed = HostList.from(['gitlab.firm.lan', '*.google.internal']) ?? false;
  const call = createEgress({ allowPrivate: listed, proxies: through(env) });
  expect(await (await call('http://gitlab.firm.lan/')).text()).toBe('hello');
  await expect(call('http://metadata.google.internal/')).rejects.toThrow(HostRefused);
  await expect(call('http://wiki.firm.lan/')).rejects.toThrow(HostRefused);
  const rule = { allowPrivate: listed, proxies: through(env) };
  expect(await isHostAllowed('https://wiki.firm.lan/', rule)).toBe(false);
  expect(await isHostAllowed('https://models.example/', rule)).toBe(true);
  expect(lookup).not.toHaveBeenCalled();
});

test.each(['ENOTFOUND', 'EAI_AGAIN'])(
  'R25.01 a name that the server cannot resolve (%s) is named with the setting for it',
  async (code) => {
    lookup.mockRejectedValue(Object.assign(new Error(code), { code }));
    const message = expect.stringMatching(/resolve the name models\.example: .* ARTEL_PROXY_RESOLVES=on .* HTTP_PROXY/);
    await expect(users()('http://models.example/')).rejects.toMatchObject({ code, message });
    await expect(users({ NO_PROXY: '*' })('http://models.example/')).rejects.toMatchObject({ code, message: code });
    expect(proxy.asked).toEqual([]);
  },
);

test('R25.01 the certificate of a proxy with HTTPS is checked by the proxy’s own name', async () => {
  const isAsked = new Promise<string | undefined>((resolve) => {
    secure.once('connect', ({ url }, socket) => {
      resolve(url);
      socket.end('HTTP/1.1 403 No\r\ncontent-length: 0\r\n\r\n');
    });
  });
  const call = users({ HTTP_PROXY: `https://localhost:${portOf(secure)}`, ARTEL_PROXY_RESOLVES: 'on' });
  const before = tls.getCACertificates();
  try {
    const untrusted = {
      code: 'EPROXYCERT',
      message: expect.stringMatching(/certificate of the proxy of HTTP_PROXY .* NODE_EXTRA_CA_CERTS/),
    };
    await expect(call('http://models.example/')).rejects.toMatchObject(untrusted);
    tls.setDefaultCACertificates([...before, untrustedCertificate.cert]);
    await expect(call('http://models.example/')).rejects.toMatchObject({ code: 'EPROXYREFUSED' });
  } finally {
    tls.setDefaultCACertificates(before);
  }
  expect([await isAsked, names]).toEqual(['models.example:80', ['localhost', 'localhost']]);
});

test('R25.01 a proxy gets name and password from its address, decoded', async () => {
  answers('93.184.215.14');
  const call = users({ HTTP_PROXY: `http://me:p%40ss%3Aword@${proxy.host}` });
  expect(await (await call('http://models.example/')).text()).toBe('hello');
  expect(proxy.credentials).toEqual([`Basic ${Buffer.from('me:p@ss:word').toString('base64')}`]);
});

test.each([
  [407, {}, 'EPROXYAUTH', /HTTP_PROXY asks for a name and a password \(407\)/],
  [407, { HTTP_PROXY: 'http://me:hush-hush@{host}' }, 'EPROXYAUTH', /does not accept the name and password of HTTP_PROXY/],
  [403, { ARTEL_PROXY_HOSTS: 'example=http://me:hush-hush@{host}' }, 'EPROXYREFUSED', /ARTEL_PROXY_HOSTS does not connect \(403\)/],
  ['nothing', { HTTP_PROXY: 'http://me:hush-hush@{host}' }, 'ETIMEDOUT', /HTTP_PROXY was silent for too long/],
  ['plain', { HTTP_PROXY: 'http://me:hush-hush@127.0.0.1:1' }, 'EPROXYDOWN', /HTTP_PROXY cannot be reached/],
] as const)(
  'R25.01 a proxy that answers %s with %j is named with its setting, and without its password',
  async (given, env, code, message) => {
    answer = given;
    answers('93.184.215.14');
    const named = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replace('{host}', proxy.host)]));
    const error: unknown = await users(named)('http://models.example/').then(null, (reason: unknown) => reason);
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(`${JSON.stringify(error)} ${String(error)} ${(error as Error).stack}`).not.toContain('hush-hush');
  },
);

test('R25.01 a caller that stops does not wait for a silent proxy', async () => {
  answer = 'nothing';
  answers('93.184.215.14');
  const controller = new AbortController();
  const call = createEgress({ allowPrivate: false, proxies: through() })('http://models.example/', { signal: controller.signal });
  await vi.waitFor(() => expect(proxy.asked).toHaveLength(1), { timeout: 15_000 });
  controller.abort();
  await expect(call).rejects.toMatchObject({ code: 'ABORT_ERR' });
});
