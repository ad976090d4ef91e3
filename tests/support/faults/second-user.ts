import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

type Latency = { p50: number; p99: number; max: number; count: number };

const everyMs = 50;
/** The longest wait of another user (ms, p99). */
const maxWaitMs = 300;
/**
 * A call of the product wakes several processes in turn, and each waits for a processor. So on a busy machine it may take this many
 * times as long as a call of a server that does nothing, measured at the same moments.
 */
const maxTimesControl = 8;

/** Another user, who requests the list of projects repeatedly until `stop`. */
export async function startSecondUser({ url, accessToken }: { url: string; accessToken: string }) {
  const control = new Worker(new URL('./control-server-worker.ts', import.meta.url));
  const [controlUrl] = (await once(control, 'message')) as [string];
  const worker = new Worker(new URL('./second-user-worker.ts', import.meta.url), {
    workerData: { url: `${url}/api/project`, controlUrl, accessToken, everyMs },
  });
  await once(worker, 'message');
  const takeTimes = async () => {
    const answered = once(worker, 'message');
    worker.postMessage('take');
    return ((await answered) as [[own: number, control: number][]])[0];
  };
  return {
    /**
     * The latency of the other user during `work` (ms); a refused call counts as infinite. `bound` is the limit of the p99: 300 ms,
     * and more only where the machine itself made calls wait.
     */
    async beside<T>(work: () => Promise<T>): Promise<{ latency: Latency; bound: number; result: T }> {
      await takeTimes();
      const result = await work();
      const times = await takeTimes();
      const machine = latencyOf(times.map(([, time]) => time));
      return { latency: latencyOf(times.map(([time]) => time)), bound: Math.max(maxWaitMs, maxTimesControl * machine.p99), result };
    },
    stop: async () => {
      await Promise.all([worker.terminate(), control.terminate()]);
    },
  };
}

function latencyOf(times: readonly number[]): Latency {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: at(1), count: sorted.length };
}
