import { type UserHue, userHue } from '../../../model/agents/roles.ts';
import { type AddedUser, type UserKey, userKeys } from '../frame/added-users.ts';
import type { NodeCounts } from '../frame/node-counts.ts';

/** `name` is null for the built-in kinds, which are called by their role. */
export type UserMenuItem = { key: string; name: string | null; role: UserKey; hue: UserHue; count: number };

/** Returns how many of each are left to place: one, less those on the canvas. Added ones come last. */
export function userMenu(placed: NodeCounts['byPerson'], added: readonly AddedUser[]): UserMenuItem[] {
  const known = userKeys.map((key) => ({ key, name: null, role: key, hue: userHue(key) }));
  const own = added.map(({ id, name, role, hue }) => ({ key: id, name, role, hue }));
  return [...known, ...own].map((item) => ({ ...item, count: Math.max(0, 1 - (placed.get(item.key) ?? 0)) }));
}
