import type { FastifyRequest } from 'fastify';
import { isLoopbackHost, isLoopbackIPv4 } from '../platform/loopback.ts';

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

function isLoopbackAddress(address = ''): boolean {
  return address === '::1' || isLoopbackIPv4(address.replace(/^::ffff:/i, ''));
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
