import type { ConsoleMessage } from '../../../../model/workspace-state.ts';

/** The texts written in the console, oldest first, without repetitions. Messages to a run are no commands. */
export function writtenCommands(messages: readonly ConsoleMessage[]): string[] {
  const written = messages.filter(({ isUser, executionId }) => isUser && executionId === null).map(({ text }) => text);
  return written.filter((text, index) => text !== written[index - 1]);
}

/**
 * Returns the place in the history after a step back (-1) or forward (1) from `at`, which is null below the newest one. Stays at the
 * oldest; null when the step leads back to the unsent text, or the history is empty.
 */
export function stepInHistory(at: number | null, direction: -1 | 1, count: number): number | null {
  const to = (at ?? count) + direction;
  return count === 0 || to >= count ? null : Math.max(0, to);
}
