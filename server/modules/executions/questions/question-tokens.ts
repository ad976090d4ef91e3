import { createHash, randomBytes } from 'node:crypto';

/** A token of a signed link: 256 random bits, of which the database has only the hash. */
export function newToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashOfToken(token) };
}

export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
