import { performance } from 'node:perf_hooks';

/** What was done in one stretch of time. */
export type Block = {
  /** Of those that ended within the stretch (ms each). */
  latencies: number[];
  seconds: number;
  /** All that were done, those that ended a little later too. */
  done: number;
  failed: number;
};

/** Keeps `inFlight` pieces of work going for so long, each followed at once by the next one. Work under way at the end is awaited and not counted. */
export async function keepInFlight(inFlight: number, seconds: number, work: () => Promise<unknown>): Promise<Block> {
  const latencies: number[] = [];
  let done = 0;
  let failed = 0;
  const begun = performance.now();
  const end = begun + seconds * 1_000;
  const worker = async () => {
    while (performance.now() < end) {
      const from = performance.now();
      const good = await work().then(
        () => true,
        () => false,
      );
      const now = performance.now();
      if (good) done += 1;
      else failed += 1;
      if (good && now <= end) latencies.push(now - from);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return { latencies, seconds, done, failed };
}
