import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { SecretKey } from '../../platform/secrets/secret-key.ts';

export const refreshTokenDays = 30;
/** How long an old token stays good after its successor was first used: a lost answer logs nobody out. */
export const reuseGraceSeconds = 60;

export type RefreshTokens = {
  first: () => string;
  /**
   * The token that follows another, always the same one: two tabs that exchange one token at once, or one that asks again
   * because the answer was lost, get the same successor. It cannot be foretold without the server's secret.
   */
  successorOf: (token: string) => string;
};

export function makeRefreshTokens(secret: SecretKey): RefreshTokens {
  const key = secret.derive('refresh-tokens');
  return {
    first: () => randomBytes(32).toString('base64url'),
    successorOf: (token) => createHmac('sha256', key).update(token).digest('base64url'),
  };
}

/** What is stored of a token. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
