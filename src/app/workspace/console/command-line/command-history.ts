import type { ConsoleMessage } from '../../../../model/workspace-state.ts';

/** What was written in the console, oldest first, none twice in a row. What a run was told is no command. */
export function writtenCommands(messages: readonly ConsoleMessage[]): string[] {
  const written = messages.filter(({ isUser, executionId }) => isUser && executionId === null).map(({ text }) => text);
  return written.filter((text, index) => text !== written[index - 1]);
}

/**
 * The place in the history after a step back (-1) or on (1) from `at`, which is null below the newest one. Stays at the oldest;
 * null when the step leads back to what is being written, or there is nothing.
 */
export function stepInHistory(at: number | null, direction: -1 | 1, count: number): number | null {
  const to = (at ?? count) + direction;
  return count === 0 || to >= count ? null : Math.max(0, to);
}
