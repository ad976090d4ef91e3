import type { CardTally } from '../card-tally.ts';

/** People who can take part; there is one of each. W2.11 */
export const userKeys = ['tester', 'developer', 'project-manager', 'assistant'] as const;
export type UserKey = (typeof userKeys)[number];

export type UserMenuItem = { key: UserKey; count: number };

/** How many of each are left to place: one, less those whose card is on the canvas. */
export function userMenu(placed: CardTally['byPerson']): UserMenuItem[] {
  return userKeys.map((key) => ({ key, count: Math.max(0, 1 - (placed.get(key) ?? 0)) }));
}
