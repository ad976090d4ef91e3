import type { Notice } from '../../../model/workspace-state.ts';

/** The notices in the order of their banners, of which the first is seen: errors before all others, and the newest first. */
export function inOrder(notices: readonly Notice[]): Notice[] {
  return notices.toReversed().sort((one, other) => Number(other.level === 'error') - Number(one.level === 'error'));
}
