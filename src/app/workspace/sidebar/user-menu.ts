import type { CanvasDocument } from '../../../../contract/canvas.ts';

/** People who can take part; there is one of each. W2.11 */
export const userKeys = ['tester', 'developer', 'project-manager', 'assistant'] as const;
export type UserKey = (typeof userKeys)[number];

export type UserMenuItem = { key: UserKey; count: number };

/** How many of each are left to place: one, less those whose card is on the canvas. */
export function userMenu(nodes: CanvasDocument['nodes']): UserMenuItem[] {
  const placed = new Map<string, number>();
  for (const id in nodes) {
    const node = nodes[id];
    if (node?.isUser && node.name) placed.set(node.name, (placed.get(node.name) ?? 0) + 1);
  }
  return userKeys.map((key) => ({ key, count: Math.max(0, 1 - (placed.get(key) ?? 0)) }));
}
