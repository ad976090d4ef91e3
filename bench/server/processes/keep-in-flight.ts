import { performance } from 'node:perf_hooks';

/** The calls of one measured period. */
export type Block = {
  /** The durations of the calls that ended within the period (ms each). */
  latencies: number[];
  seconds: number;
  /** The number of all calls, including those that ended shortly before or after the period. */
  done: number;
  failed: number;
};

/** The longest warm-up before counting, so that a measurement does not start idle. */
const maxRampSeconds = 1;

/** Keeps `inFlight` calls running, each followed immediately by the next one, and counts them during the period. */
export async function keepInFlight(inFlight: number, seconds: number, work: () => Promise<unknown>): Promise<Block> {
  const latencies: number[] = [];
  let done = 0;
  let failed = 0;
  const begin = performance.now() + Math.min(maxRampSeconds, seconds / 2) * 1_000;
  const end = begin + seconds * 1_000;
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
      if (good && now >= begin && now <= end) latencies.push(now - from);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return { latencies, seconds, done, failed };
}
