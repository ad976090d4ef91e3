import { accessTokenKey, refreshTokenKey } from '../session/token-store.ts';
import { readStored } from '../ui/stored-preference.ts';

/** Returns whether tokens are stored. The session checks whether they are still valid. */
export function hasStoredTokens(): boolean {
  return readStored(accessTokenKey) !== null || readStored(refreshTokenKey) !== null;
}
