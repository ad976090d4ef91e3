import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readClientHello } from '../../../../deploy/runner/client-hello.ts';
import { RefusedHosts } from '../../../../deploy/runner/refused-hosts.ts';
import { findRegistry, readRegistries } from '../../../../deploy/runner/registry-hosts.ts';
import { openRegistryProxy, type ProxyRefusal, type RegistryProxy } from '../../../../deploy/runner/registry-proxy.ts';
import { wantedBy } from '../../../../deploy/runner/wanted-by.ts';

const listed = readRegistries('usual, registry.test:8443, localhost, *.packages.example') ?? [];

let folder: string;
let proxy: RegistryProxy;
/** What a registry gets of a client. */
let registry: net.Server;
let received: Promise<Buffer>;
let connected: string[];
let refusals: [host: string, why: ProxyRefusal][];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'proxy-'));
  [connected, refusals] = [[], []];
  registry = net.createServer();
  received = new Promise((done) => registry.on('connection', (socket) => socket.on('error', () => {}).once('data', done)));
  await new Promise<void>((done) => registry.listen(0, '127.0.0.1', done));
});
afterEach(async () => {
  await proxy?.close();
  registry.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Names of hosts lead to the registry of the test, unless they are resolved (`isReal`). */
async function openProxy({ isReal = false, parent = null as URL | null } = {}) {
  const connect = ((options: net.TcpNetConnectOpts) => {
    connected.push(`${options.host}:${options.port}`);
    return net.connect((registry.address() as AddressInfo).port, '127.0.0.1');
  }) as typeof net.connect;
  const onRefused = (host: string, why: ProxyRefusal) => refusals.push([host, why]);
  const socket = join(folder, 'socket');
  proxy = await openRegistryProxy({ socket, hosts: listed, parent, onRefused, ...(!isReal && { connect }) });
  return socket;
}

/** Asks for a tunnel. Returns the status, and the connection. */
function ask(socketPath: string, path: string): Promise<{ status: number | undefined; socket: net.Socket }> {
  return new Promise((done, fail) => {
    const request = http.request({ socketPath, method: 'CONNECT', path });
    request.on('connect', ({ statusCode }, socket) => done({ status: statusCode, socket: socket.on('error', () => {}) as net.Socket }));
    request.on('error', fail).end();
  });
}

const closed = (socket: net.Socket) => new Promise<void>((done) => (socket.closed ? done() : socket.resume().on('close', () => done())));

test.each(['registry.npmjs.org:443', 'registry.test:8443', 'deep.packages.example:443'])(
  'C5.08 a tunnel to %s opens, and carries TLS for that host',
  async (path) => {
    const { status, socket } = await ask(await openProxy(), path);
    expect([status, connected]).toEqual([200, [path]]);
    const client = tls.connect({ socket, servername: path.split(':')[0] ?? '' }).on('error', () => {});
    expect(readClientHello(await received)).toEqual({ kind: 'asks', name: path.split(':')[0] });
    expect(refusals).toEqual([]);
    client.destroy();
  },
);

test.each<[string, string]>([
  ['evil.example:443', 'evil.example'],
  ['registry.npmjs.org:80', 'registry.npmjs.org:80'],
  ['registry.npmjs.org.evil.example:443', 'registry.npmjs.org.evil.example'],
  ['127.0.0.1:443', '127.0.0.1'],
  ['0x7f.1:443', '127.0.0.1'],
  ['169.254.169.254:443', '169.254.169.254'],
  ['[::1]:443', '[::1]'],
  ['registry.npmjs.org@evil.example:443', ''],
  ['%zz', ''],
])('C5.08 a tunnel to %s is refused', async (path, host) => {
  const { status, socket } = await ask(await openProxy(), path);
  expect([status, connected, refusals]).toEqual([403, [], [[host, 'unlisted']]]);
  socket.destroy();
});

test('C5.08 a registry that closes its connection has sent all before', async () => {
  const length = 8 * 1024 * 1024;
  registry.on('connection', (socket) => socket.end(Buffer.alloc(length)));
  const { socket } = await ask(await openProxy(), 'pypi.org:443');
  socket.write(helloOf([nameExtension('pypi.org')]));
  let read = 0;
  for await (const piece of socket) read += (piece as Buffer).length;
  expect(read).toBe(length);
});

test('C5.08 a listed name that leads to a private address is refused', async () => {
  const { status, socket } = await ask(await openProxy({ isReal: true }), 'localhost:443');
  expect([status, refusals]).toEqual([403, [['localhost', 'private']]]);
  socket.destroy();
});

test('C5.08 a tunnel carries TLS for another host neither openly nor hidden, and nothing else', async () => {
  const path = await openProxy();
  const fronted = await ask(path, 'registry.npmjs.org:443');
  tls.connect({ socket: fronted.socket, servername: 'evil.example' }).on('error', () => {});
  await closed(fronted.socket);
  const plain = await ask(path, 'registry.npmjs.org:443');
  plain.socket.write('GET / HTTP/1.1\r\nhost: evil.example\r\n\r\n');
  await closed(plain.socket);
  const answer = new Promise((done) => http.get({ socketPath: path, path: 'http://registry.npmjs.org/x' }, (it) => done(it.statusCode)));
  expect(await answer).toBe(403);
  expect(refusals).toEqual(['name', 'plain', 'plain'].map((why) => ['registry.npmjs.org', why]));
});

test("C5.08 through the operator's own proxy only listed hosts are reached, too", async () => {
  const asked: [string | undefined, string | undefined][] = [];
  const parent = http.createServer().on('connect', (request, client) => {
    asked.push([request.url, request.headers['proxy-authorization']]);
    client.end('HTTP/1.1 200 OK\r\n\r\n');
  });
  await new Promise<void>((done) => parent.listen(0, '127.0.0.1', done));
  const path = await openProxy({ parent: new URL(`http://user:pass@127.0.0.1:${(parent.address() as AddressInfo).port}`) });
  const [open, shut] = [await ask(path, 'pypi.org:443'), await ask(path, 'evil.example:443')];
  expect([open.status, shut.status, asked]).toEqual([200, 403, [['pypi.org:443', 'Basic dXNlcjpwYXNz']]]);
  await Promise.all([closed(open.socket), closed(shut.socket)]);
  parent.close();
});

/** The first message of a client, as records of TLS of at most this length. */
function helloOf(extensions: [type: number, body: number[]][], recordLength = 16_000): Buffer {
  const words = (length: number) => [length >> 8, length & 255];
  const list = extensions.flatMap(([type, body]) => [...words(type), ...words(body.length), ...body]);
  const body = [3, 3, ...new Uint8Array(32), 0, ...words(2), 0x13, 1, 1, 0, ...words(list.length), ...list];
  const message = [1, 0, ...words(body.length), ...body];
  const records: number[] = [];
  for (let at = 0; at < message.length; at += recordLength) {
    const piece = message.slice(at, at + recordLength);
    records.push(22, 3, 1, ...words(piece.length), ...piece);
  }
  return Buffer.from(records);
}
const nameExtension = (name: string): [number, number[]] => [0, [0, name.length + 3, 0, 0, name.length, ...Buffer.from(name)]];

test('C5.08 the host of a first message is read also in pieces, and a message that hides it is refused', () => {
  const plain = helloOf([[10, [0, 2, 0, 29]], nameExtension('Pypi.org')]);
  for (let length = 0; length < plain.length; length += 1)
    expect(readClientHello(plain.subarray(0, length))).toEqual({ kind: 'incomplete' });
  expect(readClientHello(plain)).toEqual({ kind: 'asks', name: 'pypi.org' });
  expect(readClientHello(helloOf([nameExtension('pypi.org')], 7))).toEqual({ kind: 'asks', name: 'pypi.org' });
  const hidden = [helloOf([nameExtension('pypi.org'), [0xfe0d, [0]]]), helloOf([]), helloOf([nameExtension('a'), nameExtension('b')])];
  const broken = [Buffer.from('GET / HTTP/1.1'), Buffer.from([22, 3, 1, 0, 0]), Buffer.from([22, 3, 1, 0, 8, 1, 0, 0, 4, 1, 1, 1, 1])];
  for (const bytes of [...hidden, ...broken, Buffer.alloc(20_000, 22)]) expect(readClientHello(bytes)).toEqual({ kind: 'invalid' });
});

test('C5.08 the operator names registries, and for one of a private network its address', () => {
  const hosts = readRegistries('npm.corp.test=10.1.2.3, b.test:8443') ?? [];
  expect(findRegistry({ host: 'npm.corp.test', port: '443' }, hosts)).toEqual({ host: 'npm.corp.test', address: '10.1.2.3' });
  expect(findRegistry({ host: 'b.test', port: '443' }, hosts)).toBeNull();
  expect(findRegistry({ host: 'registry.npmjs.org', port: '443' }, hosts)).toBeNull();
  const mirrored = readRegistries('usual, registry.npmjs.org=10.1.2.3') ?? [];
  expect(findRegistry({ host: 'registry.npmjs.org', port: '443' }, mirrored)).toMatchObject({ address: '10.1.2.3' });
  const wrong = ['a b', 'https://a.test', '10.1.2.3', 'a.test=127.0.0.1', 'a.test=169.254.169.254', '*.a.test=10.0.0.1', '*.github.io'];
  for (const list of wrong) expect([list, readRegistries(list)]).toEqual([list, null]);
});

test('C5.11 a person may open the first names of hosts that were refused, and neither an address nor the machine itself', () => {
  const refused = new RefusedHosts();
  for (const host of ['127.0.0.1', '[::1]', '10.1.2.3:8443', 'localhost', 'a.localhost', 'registry', '', '0x7f.1'])
    refused.add(host, 'unlisted');
  refused.add('npm.corp.test', 'private');
  expect(refused.unlisted()).toEqual([]);
  for (let host = 0; host < 9; host += 1) refused.add(`h${host}.example:8443`, 'unlisted');
  expect(refused.unlisted()).toEqual([0, 1, 2, 3, 4].map((host) => `h${host}.example:8443`));
});

test('C5.11 a host that is asked for is named with the packages of the lock file that come from there, or the files that name it', () => {
  const packages = {
    'node_modules/left-pad': { resolved: 'git+ssh://git@github.com/a/left-pad.git#f00' },
    'node_modules/a/node_modules/@b/c': { resolved: 'https://npm.example.com:8443/c.tgz' },
    'node_modules/ms': { resolved: 'https://registry.npmjs.org/ms/-/ms-2.1.3.tgz' },
  };
  const files = new Map(
    Object.entries({
      'package-lock.json': JSON.stringify({ packages }),
      'requirements.txt': '--index-url https://pypi.example.com/',
      'test/requirements.txt': 'https://pypi.example.com/',
    }).map(([name, text]) => [name, Buffer.from(text)]),
  );
  expect(wantedBy(['github.com', 'npm.example.com:8443', 'pypi.example.com', 'evil.example'], files)).toEqual([
    { host: 'github.com', wantedBy: ['left-pad'] },
    { host: 'npm.example.com:8443', wantedBy: ['@b/c'] },
    { host: 'pypi.example.com', wantedBy: ['requirements.txt'] },
    { host: 'evil.example', wantedBy: [] },
  ]);
  expect(wantedBy(['a.example'], new Map([['package-lock.json', Buffer.from('{')]]))).toEqual([{ host: 'a.example', wantedBy: [] }]);
});

test('C5.08 the log names each refused host once, with the setting that opens it', () => {
  const refused = new RefusedHosts();
  for (let time = 0; time < 3; time += 1) refused.add('github.com', 'unlisted');
  expect(refused.text()).toBe(
    'The runner refused a connection: github.com is not in the list of registries. The operator of the runner sets it: ARTEL_RUNNER_REGISTRIES.\n',
  );
  for (let host = 0; host < 1_000; host += 1) refused.add(`${host}.example`, 'unlisted');
  expect(refused.text().split('\n')).toHaveLength(22);
  expect(refused.text()).toContain('refused 981 more');
});
