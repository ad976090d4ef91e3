import type { Environment } from '../environment/environment.ts';

/** How often the clock is read, and how much later than that means that the machine slept. */
const checkEveryMs = 15_000;
const sleepMs = 30_000;

/** Calls back each time the machine wakes up after a sleep. The returned function ends that. */
export function watchForWaking({ now, later }: Pick<Environment, 'now' | 'later'>, onWake: () => void): () => void {
  let last = now();
  let cancel = later(checkEveryMs, look);
  function look(): void {
    const slept = now() - last > checkEveryMs + sleepMs;
    last = now();
    cancel = later(checkEveryMs, look);
    if (slept) onWake();
  }
  return () => cancel();
}
