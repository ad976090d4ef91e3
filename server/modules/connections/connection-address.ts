import { holdsSecret } from '../../platform/egress/address-secrets.ts';
import { localOrigins } from '../../platform/model-lists/local-servers.ts';

/**
 * Returns an address as it was pasted, with a scheme and without a fragment. A name for this machine becomes its number where a server of models
 * has its usual port there. Returns null for what is no address of HTTP.
 */
export function connectionAddress(given: string): string | null {
  const text = given.trim();
  const isFull = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  const url = URL.parse(isFull ? text : `https://${text}`);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.hostname === '') return null;
  url.hash = '';
  const isLocal = url.hostname === 'localhost' && localOrigins.some((origin) => new URL(origin).port === url.port);
  if (isLocal) url.hostname = '127.0.0.1';
  if (isLocal && !isFull) url.protocol = 'http:';
  return url.href;
}

/** Whether an address has a name, a password or a key in it. */
export function hasSecret(address: string): boolean {
  return holdsSecret(new URL(address));
}
