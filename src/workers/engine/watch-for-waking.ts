import type { Environment } from './environment.ts';

/** How often the clock is looked at, and how much later than that means that the machine slept. */
const lookEveryMs = 15_000;
const sleptMs = 30_000;

/** Calls back each time the clock has gone on without this program. Returns what ends that. */
export function watchForWaking({ now, later }: Pick<Environment, 'now' | 'later'>, onWake: () => void): () => void {
  let last = now();
  let cancel = later(lookEveryMs, look);
  function look(): void {
    const slept = now() - last > lookEveryMs + sleptMs;
    last = now();
    cancel = later(lookEveryMs, look);
    if (slept) onWake();
  }
  return () => cancel();
}
