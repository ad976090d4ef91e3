import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createEgress, HostRefused, isHostAllowed } from '../../../server/platform/egress/egress.ts';
import { untrustedCertificate } from '../../support/services/untrusted-certificate.ts';

let server: http.Server;
let port: number;
const seen: { url: string; headers: http.IncomingHttpHeaders; socket: number }[] = [];

beforeAll(async () => {
  server = http.createServer((request, response) => {
    seen.push({ url: request.url ?? '', headers: request.headers, socket: request.socket.remotePort ?? 0 });
    if (request.url === '/redirect') response.writeHead(302, { location: `http://127.0.0.1:${port}/elsewhere` }).end();
    else if (request.url === '/endless') flood(response);
    else if (request.url?.startsWith('/echo')) echo(request, response);
    else if (request.url === '/upgrade') response.socket?.write(anotherProtocol);
    else response.end('hello');
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  seen.length = 0;
});

/** Repeats in header and body what it was sent, byte by byte. */
async function echo(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const { authorization = '' } = request.headers;
  response.writeHead(200, { location: `/x?token=${encodeURIComponent(authorization)}` });
  for (const byte of Buffer.from(`You sent ${authorization} to ${request.url}.`)) {
    response.write(Buffer.of(byte));
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end();
}

function flood(response: http.ServerResponse): void {
  const megabyte = Buffer.alloc(1024 * 1024, 'x');
  const pour = () => {
    while (!response.destroyed && response.write(megabyte));
  };
  response.on('drain', pour);
  pour();
}

const anotherProtocol = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nhello';

const open = createEgress({ allowPrivate: true, proxies: null });
const closed = createEgress({ allowPrivate: false, proxies: null });

test.each([
  'http://localhost:{port}/',
  'http://127.0.0.1:{port}/',
  'http://127.1:{port}/',
  'http://2130706433:{port}/',
  'http://0x7f000001:{port}/',
  'http://0177.0.0.1:{port}/',
  'http://0.0.0.0:{port}/',
  'http://[::1]:{port}/',
  'http://[::]:{port}/',
  'http://[::ffff:127.0.0.1]:{port}/',
  'http://[::ffff:7f00:1]:{port}/',
  'http://[::127.0.0.1]:{port}/',
  'http://[64:ff9b::7f00:1]:{port}/',
  'http://[2002:7f00:1::]:{port}/',
  'http://①②⑦.0.0.1:{port}/',
  'http://LOCALHOST:{port}/',
])('R25.01 %s leads into the private network and is refused when the connection is opened', async (address) => {
  await expect(closed(address.replace('{port}', String(port)))).rejects.toThrow(HostRefused);
  expect(seen).toHaveLength(0);
});

test.each(['file:///etc/passwd', 'data:text/plain,hello', 'ftp://93.184.215.14/'])('R25.01 %s is never called', async (address) => {
  await expect(open(address)).rejects.toThrow(TypeError);
});

test('R25.01 an address with a name and password is not called, with any host behind it', async () => {
  for (const egress of [open, closed]) {
    await expect(egress(`http://api.openai.com@127.0.0.1:${port}/`)).rejects.toThrow();
    await expect(egress(`http://me:hush@localhost:${port}/`)).rejects.toThrow();
  }
  expect(seen).toHaveLength(0);
});

test('R25.01 a connection that the operator’s address opened does not serve a user’s', async () => {
  const address = `http://localhost:${port}/`;
  expect(await (await open(address)).text()).toBe('hello');
  expect(await (await open(address)).text()).toBe('hello');
  expect(new Set(seen.map(({ socket }) => socket)).size).toBe(1);
  await expect(closed(address)).rejects.toThrow(HostRefused);
  expect(seen).toHaveLength(2);
});

test('R25.01 a signal that aborts at the end of a call ends nothing, and one that aborts before ends the call', async () => {
  for (let at = 0; at < 5; at += 1) {
    const controller = new AbortController();
    const answer = await open(`http://127.0.0.1:${port}/`, { signal: controller.signal });
    expect(await answer.text()).toBe('hello');
    controller.abort('ended');
  }
  // The connection is still there: an abort of its first call has not closed it.
  expect(new Set(seen.map(({ socket }) => socket)).size).toBe(1);
  await expect(open(`http://127.0.0.1:${port}/`, { signal: AbortSignal.abort('before') })).rejects.toMatchObject({ code: 'ABORT_ERR' });
  const controller = new AbortController();
  const endless = await open(`http://127.0.0.1:${port}/endless`, { signal: controller.signal });
  controller.abort('within');
  await expect(endless.text()).rejects.toThrow();
});

test('R25.01 a redirect is returned and not followed', async () => {
  const response = await open(`http://127.0.0.1:${port}/redirect`, { headers: { authorization: 'Bearer sk-secret' } });
  expect(response.status).toBe(302);
  expect(seen.map(({ url }) => url)).toEqual(['/redirect']);
});

test('R25.01 an endless answer is cut off', async () => {
  const response = await open(`http://127.0.0.1:${port}/endless`);
  await expect(response.text()).rejects.toMatchObject({ code: 'EANSWERTOOLONG' });
});

test('R25.01 a change of protocol is no answer, and the call ends', async () => {
  await expect(open(`http://127.0.0.1:${port}/upgrade`)).rejects.toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
});

test('R25.01 a certificate of an unknown authority is not accepted', async () => {
  const untrusted = https.createServer(untrustedCertificate, (_request, response) => response.end('hello'));
  await new Promise<void>((resolve) => untrusted.listen(0, '127.0.0.1', resolve));
  try {
    const { port: securePort } = untrusted.address() as AddressInfo;
    await expect(open(`https://localhost:${securePort}/`)).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  } finally {
    untrusted.close();
  }
});

test('R25.01 the same rule holds when an address is saved', async () => {
  const allowed = (address: string, allowPrivate = false) => isHostAllowed(address, { allowPrivate, proxies: null });
  for (const address of ['http://localhost:11434/v1', 'http://10.0.0.8/v1', 'http://[::ffff:10.0.0.8]/v1', 'http://0x7f.1/v1']) {
    expect([address, await allowed(address)]).toEqual([address, false]);
    expect(await allowed(address, true)).toBe(true);
  }
  expect(await allowed('https://93.184.215.14/v1')).toBe(true);
});

test('R25.01 a signal ends its own call, and not the connection that later calls use', async () => {
  const url = `http://127.0.0.1:${port}`;
  for (let call = 0; call < 20; call += 1) {
    const controller = new AbortController();
    const answer = await open(`${url}/`, { signal: controller.signal });
    expect(await answer.text()).toBe('hello');
    // The call is over: an error of its connection would have no one to handle it, and end the process.
    controller.abort('ended');
  }
  expect(new Set(seen.map(({ socket }) => socket)).size).toBe(1);
  const controller = new AbortController();
  const endless = await open(`${url}/endless`, { signal: controller.signal });
  const reading = (async () => {
    for await (const _piece of endless.body) controller.abort('stopped');
  })();
  await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
  await expect(open(`${url}/`, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
});

test('G8.16 keys that a remote server repeats are removed from headers and body', async () => {
  const answer = await open(`http://127.0.0.1:${port}/echo?api_key=key-of-the-query`, {
    headers: { authorization: 'Bearer sk-12345678/9' },
  });
  expect(answer.headers.location).toBe('/x?token=Bearer%20***');
  expect(await answer.text()).toBe('You sent Bearer *** to /echo?api_key=***.');
  expect(answer.scrubber.text('sk-12345678/9')).toBe('***');
});

test('G8.16 an answer with lengths in its format keeps them without the keys', async () => {
  const answer = await open(`http://127.0.0.1:${port}/echo`, { headers: { authorization: 'Bearer sk-12345678/9' }, isFramed: true });
  expect(await answer.text()).toBe(`You sent Bearer ${'*'.repeat('sk-12345678/9'.length)} to /echo.`);
});
