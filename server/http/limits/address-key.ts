import { isIPv6 } from 'node:net';

/**
 * Returns the key under which a client's address is counted. An IPv6 client can use any of the 2^64 addresses of its network, so the /64
 * network is the key. An IPv4 address that is mapped into IPv6 counts as the IPv4 address.
 */
export function addressKey(address: string): string {
  const [plain = ''] = address.split('%');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const whole = tail === undefined ? groups : [...groups, ...Array(Math.max(0, 8 - groups.length - after.length)).fill('0'), ...after];
  const network = whole.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
