import type { KeyScope } from '../../contract/api-key.ts';
import { may, type Role } from '../../contract/members.ts';
import { type Need, scopeOf } from '../../contract/needs.ts';
import { ApiError } from './api-error.ts';

/** Throws `key_not_allowed` unless a key with these scopes may make a call with this need. A call without a need, of the staff, is for no program. */
export function requireNeed(scopes: readonly KeyScope[], need: Need | undefined): void {
  const scope = scopeOf(need);
  if (scope === null || !scopes.includes(scope)) throw new ApiError('key_not_allowed', { details: { scope, scopes } });
}

/** Throws `forbidden` unless a person with this role may make a call with this need. A call without one is of the staff, whom the route itself asks for. */
export function requireRole(role: Role, need: Need | undefined): void {
  if (need !== undefined && !may(role, need)) throw new ApiError('forbidden', { details: { role, need } });
}
