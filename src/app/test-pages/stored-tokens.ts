import { accessTokenKey, refreshTokenKey } from '../../session/token-store.ts';
import { describeTokens } from './describe-tokens.ts';

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
