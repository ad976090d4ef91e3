import { setTimeout as wait } from 'node:timers/promises';

/** The pause between two batches (ms): users' work has priority. */
const pauseMs = 200;
export const dayMs = 24 * 60 * 60 * 1_000;

/** Calls `removeSome` until it returns false, for nothing that is left, or until `signal` aborts. A batch is one short transaction, and a pause follows it. */
export async function inBatches(signal: AbortSignal, removeSome: () => Promise<boolean>): Promise<void> {
  while (!signal.aborted && (await removeSome())) await wait(pauseMs, undefined, { signal, ref: false }).catch(() => {});
}
