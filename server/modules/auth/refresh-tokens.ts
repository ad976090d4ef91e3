import { createHmac } from 'node:crypto';
import { elapsedBetween } from '../../platform/clock.ts';
import type { SecretKey } from '../../platform/secrets/secret-key.ts';
import { newToken } from '../../platform/secrets/tokens.ts';

export const refreshTokenDays = 30;
/** How long a repeated request gets the token of the first one. */
const repeatSeconds = 60;

type RefreshTokens = {
  first: () => string;
  /**
   * Returns the `number`-th successor of a token, from 1. It is always the same, so that two tabs that exchange one token at once
   * get one successor. It cannot be predicted without the server's secret.
   */
  successorOf: (token: string, number: number) => string;
};

export function makeRefreshTokens(secret: SecretKey): RefreshTokens {
  const key = secret.derive('refresh-tokens');
  return {
    first: newToken,
    successorOf: (token, number) =>
      createHmac('sha256', key)
        .update(number === 1 ? token : `${token}:${number}`)
        .digest('base64url'),
  };
}

type TokenUse = { firstUsedAt: Date | null; successorIssuedAt: Date | null; supersededAt: Date | null };

/**
 * The meaning of a use of a refresh token:
 * - `first`: it gets a successor.
 * - `repeat`: the same request again, within a minute. It gets the same successor.
 * - `lost`: its successor was never used, so the response was lost. It gets another successor, which replaces that one.
 * - `stolen`: its successor was used or replaced: two programs hold the session, which ends. R20
 */
export function judgeTokenUse(
  token: TokenUse,
  successor: { firstUsedAt: Date | null } | null,
  now: Date,
): 'first' | 'repeat' | 'lost' | 'stolen' {
  if (token.supersededAt) return 'stolen';
  // An earlier version of the server stored only the first use.
  const issuedAt = token.successorIssuedAt ?? token.firstUsedAt;
  if (!successor || !issuedAt) return 'first';
  if (elapsedBetween(issuedAt, now) <= repeatSeconds * 1000) return 'repeat';
  return successor.firstUsedAt ? 'stolen' : 'lost';
}
