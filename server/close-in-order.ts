import { setTimeout as wait } from 'node:timers/promises';

/** One thing to close, and how long it is waited for (ms): what hangs is left as it is. */
export type Closing = { what: string; limitMs: number; close: () => Promise<unknown> };

/** Closes one after the other. `note` is told of what failed or took too long; nothing is thrown. */
export async function closeInOrder(closings: readonly Closing[], note: (about: object, line: string) => void): Promise<void> {
  for (const { what, limitMs, close } of closings) {
    const limit = new AbortController();
    const late = wait(limitMs, 'late' as const, { signal: limit.signal }).catch(() => 'ended' as const);
    const closed = close().catch((error: unknown) => note({ err: error }, `Closing ${what} failed`));
    if ((await Promise.race([closed, late])) === 'late') note({ ms: limitMs }, `Closing ${what} took too long and was left`);
    limit.abort();
  }
}
