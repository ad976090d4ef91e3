import { errors, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { User } from '../../../contract/account.ts';
import { id } from '../../../contract/common.ts';
import { ApiError } from '../../http/api-error.ts';
import type { SecretKey } from '../../platform/secrets/secret-key.ts';

export const accessTokenMinutes = 60;

const algorithm = 'HS256';
const type = 'at+jwt';
const audience = 'artel:api';
const issuer = 'artel';

/** The seconds since the epoch that a `Date` can hold. */
const seconds = z.number().int().min(0).max(8_640_000_000_000);
/** The claims that `sign` writes. A token with claims of other types was not issued here, even with a valid signature. */
const claims = z.object({
  sub: id,
  sid: id,
  nameid: id,
  userId: id,
  unique_name: z.string(),
  name: z.string(),
  email: z.string(),
  iss: z.literal(issuer),
  aud: z.literal(audience),
  iat: seconds,
  exp: seconds,
});

type AccessTokens = {
  /** Signs a token that is valid for `accessTokenMinutes` from `nowMs`, and only while its session is open. */
  sign: (user: User, sessionId: string, nowMs: number) => Promise<string>;
  /** Verifies a token. Throws `token_expired`, or `unauthorized` for anything that this server did not sign as an access token. */
  read: (token: string, nowMs: number) => Promise<{ userId: string; sessionId: string /** ms since the epoch */; goodUntil: number }>;
};

/** The number of verified tokens that are remembered. */
const maxRemembered = 1_000;

/**
 * Remembers tokens whose signature was verified: a client sends the same one with each call. Their time limit is checked each time; the
 * caller checks the session.
 */
export function makeAccessTokens(secret: SecretKey): AccessTokens {
  const key = secret.derive('access-tokens');
  const verified = new LRUCache<string, Awaited<ReturnType<AccessTokens['read']>>>({ max: maxRemembered });
  return {
    sign: (user, sessionId, nowMs) => {
      const now = Math.floor(nowMs / 1000);
      return new SignJWT({ sid: sessionId, nameid: user.id, userId: user.id, unique_name: user.name, name: user.name, email: user.email })
        .setProtectedHeader({ alg: algorithm, typ: type })
        .setSubject(user.id)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(now)
        .setExpirationTime(now + accessTokenMinutes * 60)
        .sign(key);
    },
    read: async (token, nowMs) => {
      const known = verified.get(token);
      if (known && known.goodUntil > nowMs) return known;
      verified.delete(token);
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: [algorithm],
          typ: type,
          audience,
          issuer,
          requiredClaims: ['exp', 'sub', 'sid'],
          currentDate: new Date(nowMs),
        });
        const { sub, sid, exp } = claims.parse(payload);
        const read = { userId: sub, sessionId: sid, goodUntil: exp * 1000 };
        verified.set(token, read);
        return read;
      } catch (cause) {
        throw new ApiError(cause instanceof errors.JWTExpired ? 'token_expired' : 'unauthorized', { cause });
      }
    },
  };
}
