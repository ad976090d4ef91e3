import { pbkdf2Sync } from 'node:crypto';

/** What the work takes on a machine without other work (ms): five parts, between which another process may take the processor. */
const usualMs = 75;
const parts = 5;
const iterations = 50_000;

/**
 * Returns how many times longer than usual work takes on this machine at this moment; at least 1. A limit of the product in seconds holds on
 * a machine without other work, so a test multiplies it by this.
 */
export function timesSlower(): number {
  const begun = performance.now();
  for (let part = 0; part < parts; part += 1) pbkdf2Sync('word', 'salt', iterations, 32, 'sha256');
  return Math.max(1, (performance.now() - begun) / usualMs);
}
