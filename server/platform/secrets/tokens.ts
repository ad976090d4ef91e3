import { createHash, randomBytes } from 'node:crypto';

/** Returns a token of 256 random bits, for a link, a ticket or a session. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The stored form of a token. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
