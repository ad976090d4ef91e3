import { holdsSecret } from '../../platform/egress/address-secrets.ts';

/**
 * Returns an address of a tool server or a token server in its canonical form, without its fragment. Returns null for one without HTTPS, or
 * with name, password or a key. HTTP is for hosts of the operator's network.
 */
export function serverAddress(given: string, allowPrivateHosts: boolean): string | null {
  if (!URL.canParse(given)) return null;
  const url = new URL(given);
  if (holdsSecret(url)) return null;
  if (url.protocol !== 'https:' && !(allowPrivateHosts && url.protocol === 'http:')) return null;
  url.hash = '';
  return url.href;
}
