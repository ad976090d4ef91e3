import { setTimeout as waitFor } from 'node:timers/promises';
import type { RunnerEnd } from '../../../platform/runner/runner.ts';

/** The first wait for a free place of a runner, and the longest one (ms): each is twice the one before. */
const firstWaitMs = 1_000;
const longestWaitMs = 15_000;

/** `ms`: how long it is tried. `onBusy`: called once, before the first wait. */
type Busy = { signal: AbortSignal; ms: number; onBusy: () => void };

/**
 * Gives a job to a runner again while other jobs have all of its places, and returns how it ends; `busy` when the time is over. A busy runner has begun
 * nothing. Rejects with the signal's reason.
 */
export async function whileBusy(attempt: () => Promise<RunnerEnd>, { signal, ms, onBusy }: Busy, wait = waitFor): Promise<RunnerEnd> {
  let left = ms;
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
    const end = await attempt();
    if (!('reason' in end) || end.reason !== 'busy' || left <= 0) return end;
    if (left === ms) onBusy();
    const next = Math.min(waitMs, left);
    left -= next;
    await wait(next, undefined, { signal });
  }
}
