import { checkToken } from '../../session/token.ts';
import { shownValue } from './watch-storage.ts';

/** Describes the stored tokens at `now` (ms) without their secret parts. */
export function describeTokens(accessToken: string | null, refreshToken: string | null, now: number) {
  const check = checkToken(accessToken, now);
  return {
    hasAccessToken: accessToken !== null,
    hasRefreshToken: refreshToken !== null,
    accessToken: shownValue('accessToken', accessToken),
    refreshToken: shownValue('refreshToken', refreshToken),
    accessTokenState: check.valid ? 'valid' : check.reason,
    expiresAt: check.valid && check.payload.exp !== undefined ? new Date(check.payload.exp * 1_000).toISOString() : null,
  };
}
