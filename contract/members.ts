import type { Need } from './needs.ts';

/** The roles in a project, from all rights to the fewest. They are fixed: an owner gives one of them to each member. */
export const roles = ['owner', 'editor', 'answerer', 'viewer'] as const;
export type Role = (typeof roles)[number];

const rights: Record<Role, readonly Need[]> = {
  owner: ['read', 'run', 'answer', 'edit', 'own'],
  editor: ['read', 'run', 'answer', 'edit'],
  answerer: ['read', 'answer'],
  viewer: ['read'],
};

/** Whether a person with this role in a project may make a call there. What is of the account alone needs no role. */
export function may(role: Role, need: Need): boolean {
  return need === 'account' || rights[role].includes(need);
}
