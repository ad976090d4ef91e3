import { lazily } from '../lazily.ts';

const tldts = lazily<typeof import('tldts')>('tldts');

/** Counts suffixes under which companies let strangers have names too, such as `github.io`. */
const rules = { allowPrivateDomains: true };

/**
 * Whether a list names a host, with its port unless it is the usual one. `*.example.com` stands for all hosts below `example.com` that have the
 * same owner: not for names that strangers can have there, by the list of public suffixes.
 */
export function isListedHost(host: string, hosts: readonly string[]): boolean {
  return hosts.some((listed) => (listed.startsWith('*.') ? isBelow(host, listed.slice(2)) : host === listed));
}

/** Whether `*.` stands before a public suffix, such as `co.uk` or `github.io`: it would name hosts of strangers alone. */
export function isTooWide(listed: string): boolean {
  return listed.startsWith('*.') && isPublicSuffix(listed.slice(2));
}

function isBelow(host: string, base: string): boolean {
  if (!host.endsWith(`.${base}`) || isPublicSuffix(base)) return false;
  const { domain, isIcann, isPrivate } = tldts().parse(host, rules);
  // A network of its own may use names that no list knows.
  return (!isIcann && !isPrivate) || domain === tldts().parse(base, rules).domain;
}

function isPublicSuffix(base: string): boolean {
  const { publicSuffix, hostname, isIcann, isPrivate } = tldts().parse(base, rules);
  return (isIcann || isPrivate) === true && publicSuffix === hostname;
}
