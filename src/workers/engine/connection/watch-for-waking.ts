import type { Environment } from '../environment/environment.ts';

/** The interval at which the clock is read, and the delay that means that the machine slept (ms). */
const checkEveryMs = 15_000;
const sleepMs = 30_000;

/** Calls back each time the machine wakes up. Returns the function that ends this. */
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
