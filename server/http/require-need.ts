import { type Need, scopeOf } from '../../contract/needs.ts';
import { ApiError } from './api-error.ts';
import type { CallerKey } from './call.ts';

/** The rights of a caller: those of its key for a program. A person has all of the own account. */
type Caller = { key?: Pick<CallerKey, 'scopes'> | undefined };

/** Throws `key_not_allowed` for a caller that may not make a call with this need. One without a need, of the staff, is for no program. */
export function requireNeed({ key }: Caller, need: Need | undefined): void {
  if (!key) return;
  const scope = scopeOf(need);
  if (scope === null || !key.scopes.includes(scope)) throw new ApiError('key_not_allowed', { details: { scope, scopes: key.scopes } });
}
