import { expect, test } from 'vitest';
import { isLocalRequest } from '../../../../server/http/is-local-request.ts';
import { isLoopbackHost } from '../../../../server/platform/loopback.ts';

type Given = { headers?: Record<string, string>; from?: string; httpVersion?: string; publicUrl?: string | null };

function isLocal({ headers = {}, from = '127.0.0.1', httpVersion = '1.1', publicUrl = null }: Given = {}): boolean {
  const request = { headers: { host: 'localhost:5001', ...headers }, socket: { remoteAddress: from }, raw: { httpVersion } };
  return isLocalRequest(request, { publicUrl });
}

test.each(['localhost', 'LOCALHOST:5001', '127.0.0.1', '127.0.0.1:80', '127.8.9.10:5001', '[::1]', '[::1]:5001'])(
  'R13.01 a Host of this machine is loopback: %s',
  (host) => {
    expect(isLoopbackHost(host)).toBe(true);
    expect(isLocal({ headers: { host } })).toBe(true);
  },
);

test.each([
  ...['artel.example', 'artel.example:443', 'localhost.artel.example', '127.0.0.1.nip.io', '127.0.0.1.', '127.evil.example'],
  ...['127.1', '10.0.0.5', '0.0.0.0:5001', '[::]', '[2001:db8::1]:5001', '[::ffff:10.0.0.5]', '::1', 'user@localhost', ''],
])('R13.01 any other Host is not: %s', (host) => {
  expect(isLocal({ headers: { host } })).toBe(false);
});

test('R13.01 a request without a Host is not local', () => {
  expect(isLoopbackHost(undefined)).toBe(false);
});

test.each(['127.0.0.1', '127.0.0.2', '::1', '::ffff:127.0.0.1'])('R13.01 a loopback socket is local: %s', (from) => {
  expect(isLocal({ from })).toBe(true);
});

test.each(['10.0.0.5', '::ffff:10.127.0.1', '2001:db8::1', 'fe80::1', ''])('R13.01 another socket is not: %s', (from) => {
  expect(isLocal({ from })).toBe(false);
});

test.each([
  ...['forwarded', 'via', 'x-real-ip', 'x-client-ip', 'true-client-ip', 'cdn-loop'],
  ...[
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-forwarded-server',
    'cf-connecting-ip',
    'cf-ray',
    'x-envoy-external-address',
  ],
])('R13.01 a request that a proxy on this machine brings is not local: %s', (name) => {
  expect(isLocal({ headers: { [name]: '127.0.0.1' } })).toBe(false);
});

test('R13.01 nginx without any setting of its own sends a loopback Host by HTTP/1.0, and is not local', () => {
  expect(isLocal({ httpVersion: '1.0', headers: { host: '127.0.0.1:5001', connection: 'close' } })).toBe(false);
});

test('R13.01 no request is local to a server with a public address', () => {
  expect(isLocal({ publicUrl: 'https://artel.example' })).toBe(false);
  expect(isLocal({ publicUrl: 'http://localhost:8080' })).toBe(true);
});
