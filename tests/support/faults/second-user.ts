import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { signUp } from '../call-api.ts';
import { setUp } from '../set-up/for-vitest.ts';
import { startServer } from '../start-server.ts';

type Latency = { p50: number; p99: number; max: number; count: number };
/** A server and an account of it. */
export type Asked = { url: string; accessToken: string };

const everyMs = 50;
/** The longest wait of another user (ms, p99). */
const maxWaitMs = 300;
/** How many times as long as on an idle server, at the same moments, a call of another user may take. */
const maxTimesIdle = 4;

/**
 * Another user, who requests the list of projects of the server repeatedly. The same calls of an idle server of the same kind, at the same
 * moments, tell how long the machine makes such a call wait: their processes wait for a processor too. The server runs as in production:
 * the check of every answer, which tests otherwise have, makes a large one block for twice as long.
 */
export const setUpSecondUser = (server: { url: string }) =>
  setUp(
    async () => {
      const idle = await startServer({ env: { ARTEL_CLIENT: 'off' } });
      const on = async ({ url }: { url: string }): Promise<Asked> => ({ url, accessToken: (await signUp(url)).accessToken });
      return startSecondUser(await on(server), await on(idle), idle.stop);
    },
    ({ stop }) => stop(),
  );

async function startSecondUser(asked: Asked, idle: Asked, stopIdle: () => Promise<void>) {
  const worker = new Worker(new URL('./second-user-worker.ts', import.meta.url), { workerData: { asked, idle, everyMs } });
  await once(worker, 'message');
  const takeTimes = async () => {
    const answered = once(worker, 'message');
    worker.postMessage('take');
    return ((await answered) as [[own: number, idle: number][]])[0];
  };
  return {
    /**
     * The latency of the other user during `work` (ms); a refused call counts as infinite. `bound` is the limit of the p99: 300 ms,
     * and more only where the idle server's calls waited too.
     */
    async beside<T>(work: () => Promise<T>): Promise<{ latency: Latency; bound: number; result: T }> {
      await takeTimes();
      const result = await work();
      const times = await takeTimes();
      // A refusal tells nothing of the machine.
      const machine = latencyOf(times.map(([, time]) => time).filter(Number.isFinite));
      return { latency: latencyOf(times.map(([time]) => time)), bound: Math.max(maxWaitMs, maxTimesIdle * machine.p99), result };
    },
    stop: async () => {
      await worker.terminate();
      await stopIdle();
    },
  };
}

function latencyOf(times: readonly number[]): Latency {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: at(1), count: sorted.length };
}
