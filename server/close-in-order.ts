import { setTimeout as wait } from 'node:timers/promises';

/** A resource to close, and the time limit of its closing (ms). */
export type Closing = { what: string; limitMs: number; close: () => Promise<unknown> };

/** Closes the resources one after the other. Reports failures and exceeded limits to `note`. Never throws. */
export async function closeInOrder(closings: readonly Closing[], note: (about: object, line: string) => void): Promise<void> {
  for (const { what, limitMs, close } of closings) {
    const limit = new AbortController();
    const late = wait(limitMs, 'late' as const, { signal: limit.signal }).catch(() => 'ended' as const);
    const closed = close().catch((error: unknown) => note({ err: error }, `Closing ${what} failed`));
    if ((await Promise.race([closed, late])) === 'late') note({ ms: limitMs }, `Closing ${what} took too long and was left`);
    limit.abort();
  }
}
