import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export type Latency = { p50: number; p99: number; max: number; count: number };

/** Measures how long another user waits for the list of projects while `work` goes on (ms). A refused call counts as endless. */
export async function secondUserBeside<T>(
  user: { url: string; accessToken: string },
  work: () => Promise<T>,
): Promise<{ latency: Latency; result: T }> {
  const worker = new Worker(new URL('./second-user-worker.ts', import.meta.url), {
    workerData: { url: `${user.url}/api/project`, accessToken: user.accessToken, everyMs: 5 },
  });
  try {
    const result = await work();
    const answered = once(worker, 'message');
    worker.postMessage('stop');
    const [times] = (await answered) as [number[]];
    return { latency: latencyOf(times), result };
  } finally {
    await worker.terminate();
  }
}

function latencyOf(times: readonly number[]): Latency {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: at(1), count: sorted.length };
}
