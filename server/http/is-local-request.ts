import { isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';

type LocalCandidate = {
  headers: FastifyRequest['headers'];
  socket: Pick<FastifyRequest['socket'], 'remoteAddress'>;
  raw: Pick<FastifyRequest['raw'], 'httpVersion'>;
};

/**
 * Whether a request comes from a program on this machine, without a proxy in between. Then socket and Host are loopback, no header names a
 * proxy, and the server has no public address. HTTP/1.0 counts as a proxy, because nginx uses it for its upstreams by default and sends
 * their address as Host. Staff rights, metrics and all other local-only features follow this rule.
 */
export function isLocalRequest({ headers, socket, raw }: LocalCandidate, rule: { publicUrl: string | null }): boolean {
  return (
    isLoopbackAddress(socket.remoteAddress) &&
    raw.httpVersion !== '1.0' &&
    isLoopbackHost(headers.host) &&
    !Object.keys(headers).some(tellsOfProxy) &&
    (rule.publicUrl === null || isLoopbackHost(new URL(rule.publicUrl).host))
  );
}

/** Whether a name, with or without a port, is one of this machine: `localhost`, 127.0.0.0/8 or `[::1]`. */
export function isLoopbackHost(host: string | undefined): boolean {
  const [, name = ''] = /^(\[[^\]]*\]|[^:]*)(?::\d{1,5})?$/.exec(host ?? '') ?? [];
  return /^(localhost|\[::1\])$/i.test(name) || isLoopbackIPv4(name);
}

function isLoopbackAddress(address = ''): boolean {
  return address === '::1' || isLoopbackIPv4(address.replace(/^::ffff:/i, ''));
}

function isLoopbackIPv4(text: string): boolean {
  return text.startsWith('127.') && isIPv4(text);
}

const proxyHeaders: ReadonlySet<string> = new Set([
  ...['forwarded', 'via', 'x-real-ip', 'x-client-ip', 'x-cluster-client-ip', 'x-remote-ip', 'x-remote-addr', 'x-proxyuser-ip'],
  ...['true-client-ip', 'fastly-client-ip', 'client-ip', 'cdn-loop', 'x-forwarded', 'x-proxy-id'],
]);
const proxyPrefixes = [
  'x-forwarded-',
  'cf-',
  'x-original-',
  'x-envoy-',
  'x-amzn-',
  'x-azure-',
  'x-appengine-',
  'fly-',
  'x-vercel-',
  'x-arr-',
];

function tellsOfProxy(header: string): boolean {
  return proxyHeaders.has(header) || proxyPrefixes.some((prefix) => header.startsWith(prefix));
}
