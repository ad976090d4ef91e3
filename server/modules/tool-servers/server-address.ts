import { holdsSecret } from '../../platform/egress/address-secrets.ts';
import { isWebAddress, type PrivateHosts } from '../../platform/egress/private-hosts.ts';

/**
 * Returns an address of a tool server or a token server in its canonical form, without its fragment. Returns null for one without HTTPS, or
 * with name, password or a key. HTTP is for hosts of the operator's network.
 */
export function serverAddress(given: string, allowPrivateHosts: PrivateHosts): string | null {
  if (!URL.canParse(given)) return null;
  const url = new URL(given);
  if (holdsSecret(url)) return null;
  if (!isWebAddress(url, allowPrivateHosts)) return null;
  url.hash = '';
  return url.href;
}
