import { accessTokenKey, refreshTokenKey } from '../session/token-store.ts';
import { readStored } from '../ui/stored-preference.ts';

/** Whether somebody signed in here and did not sign out: whether they still may is the session's to find out. */
export function hasStoredTokens(): boolean {
  return readStored(accessTokenKey) !== null || readStored(refreshTokenKey) !== null;
}
