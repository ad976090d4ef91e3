import { holdsSecret } from '../egress/address-secrets.ts';

/** Returns the address of a repository without a query; null for one that is no HTTPS address, or that holds a password or a key. */
export function repositoryAddress(text: string, allowsPlain: boolean): string | null {
  const url = URL.parse(text);
  const isHttp = url?.protocol === 'https:' || (allowsPlain && url?.protocol === 'http:');
  if (!url || !isHttp || holdsSecret(url) || url.pathname === '/') return null;
  let path = url.pathname;
  while (path.endsWith('/')) path = path.slice(0, -1);
  return `${url.origin}${path}`;
}
