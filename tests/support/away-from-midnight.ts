import { setTimeout as wait } from 'node:timers/promises';

const dayMs = 86_400_000;

/** Waits over midnight UTC when it is less than a minute away, for tests that count what belongs to one day or month. */
export async function awayFromMidnight(): Promise<void> {
  const leftMs = dayMs - (Date.now() % dayMs);
  if (leftMs < 60_000) await wait(leftMs + 100);
}
