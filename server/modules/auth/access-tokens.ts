import { errors, jwtVerify, SignJWT } from 'jose';
import type { User } from '../../../contract/account.ts';
import { Fault } from '../../http/fault.ts';
import type { SecretKey } from '../../platform/secrets/secret-key.ts';

export const accessTokenMinutes = 60;

const algorithm = 'HS256';
const type = 'at+jwt';
const audience = 'artel:api';
const issuer = 'artel';

export type AccessTokens = {
  /** Valid for `accessTokenMinutes` from `nowMs`, and only while its session lives. */
  sign: (user: User, sessionId: string, nowMs: number) => Promise<string>;
  /** Throws `token_expired`, or `unauthorized` for anything that this server did not sign as an access token. */
  read: (token: string, nowMs: number) => Promise<{ userId: string; sessionId: string /** ms since the epoch */; goodUntil: number }>;
};

export function makeAccessTokens(secret: SecretKey): AccessTokens {
  const key = secret.derive('access-tokens');
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
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: [algorithm],
          typ: type,
          audience,
          issuer,
          requiredClaims: ['exp', 'sub', 'sid'],
          currentDate: new Date(nowMs),
        });
        return { userId: String(payload.sub), sessionId: String(payload.sid), goodUntil: (payload.exp ?? 0) * 1000 };
      } catch (cause) {
        throw new Fault(cause instanceof errors.JWTExpired ? 'token_expired' : 'unauthorized', { cause });
      }
    },
  };
}
