import { isIP } from 'node:net';

/** Names that no one outside of a network knows (RFC 6761, RFC 6762, RFC 8375 and ICANN's `internal`). */
const privateEnds = /\.(?:localhost|local|internal|lan|home|home\.arpa|intranet|corp|test|invalid|example)$/;
/** Taken where the server has no public name: push services check the form of a contact, and Apple refuses one at localhost. RFC 2606 keeps its domain free. */
const formalContact = 'mailto:artel@example.com';

/**
 * Returns whom a push service may ask about this server (RFC 8292, 2.1): its address if that is public and of HTTPS, a mailbox at its name without HTTPS,
 * or a formal contact for a server that only its own network knows.
 */
export function subjectOf(address: string): string {
  const { protocol, origin, hostname } = new URL(address);
  const name = hostname.replace(/\.$/, '');
  const isPublic = name.includes('.') && !name.startsWith('[') && isIP(name) === 0 && !privateEnds.test(name);
  if (!isPublic) return formalContact;
  return protocol === 'https:' ? origin : `mailto:artel@${name}`;
}
