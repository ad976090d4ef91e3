import { checkToken } from '../../session/token.ts';
import { accessTokenKey, refreshTokenKey } from '../../session/token-store.ts';
import { shownValue } from './watch-storage.ts';

/** Reads the tokens directly from the browser's storage. Throws where it is denied. */
export function readStoredTokens() {
  return describeTokens(localStorage.getItem(accessTokenKey), localStorage.getItem(refreshTokenKey), Date.now());
}

/** Writes a value directly to the browser's storage, reads it and removes it. Throws where it is denied or full. */
export function tryStorage() {
  const key = 'storage-test';
  const written = `written at ${new Date().toISOString()}`;
  localStorage.setItem(key, written);
  const read = localStorage.getItem(key);
  localStorage.removeItem(key);
  return { written, read, same: read === written, removed: localStorage.getItem(key) === null };
}

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
