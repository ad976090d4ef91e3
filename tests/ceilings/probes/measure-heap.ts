import { PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';

let collections = 0;
new PerformanceObserver((list) => {
  collections += list.getEntries().length;
}).observe({ entryTypes: ['gc'] });

/** Returns the heap that is in use after a collection of all that can be collected (bytes). */
export async function heldHeap(): Promise<number> {
  // An object that is freed by a callback of the first collection leaves the heap with the second one.
  for (let turns = 0; turns < 2; turns += 1) {
    (globalThis as unknown as { gc: () => void }).gc();
    await turn();
  }
  return process.memoryUsage().heapUsed;
}

/** Begins a block. Its end returns the bytes that were allocated in it, or null where a collection has taken some of them. */
export async function beginBlock(): Promise<() => Promise<number | null>> {
  // The observer hears of a collection in a later turn.
  await turn();
  const known = collections;
  const before = process.memoryUsage().heapUsed;
  return async () => {
    const allocated = process.memoryUsage().heapUsed - before;
    await turn();
    return collections === known ? allocated : null;
  };
}
