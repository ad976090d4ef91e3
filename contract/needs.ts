import { type KeyScope, keyScopes } from './api-key.ts';

/**
 * What a call of an account needs of its caller. The scopes of API keys are four of them, so what a program may do follows from it. `own`: what the owner of a
 * project decides in person, such as secrets, tool servers, budgets and releases. `account`: what is of the person alone: profile, sessions, keys, browsers.
 */
export type Need = KeyScope | 'own' | 'account';

/** Returns the scope that an API key must have for a call with this need; null for a call that no key may make. */
export function scopeOf(need: Need | undefined): KeyScope | null {
  return keyScopes.find((scope) => scope === need) ?? null;
}
