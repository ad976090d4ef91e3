import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Requests two URLs at a steady rate on its own thread, so that the work of the test delays no measurement. A call does not wait
 * for the previous one: while a server is blocked, each call that is due in that time counts.
 */
const { url, controlUrl, accessToken, everyMs } = workerData as { url: string; controlUrl: string; accessToken: string; everyMs: number };

async function measure(address: string): Promise<number> {
  const begun = performance.now();
  try {
    const response = await fetch(address, { headers: { authorization: `Bearer ${accessToken}` } });
    await response.arrayBuffer();
    return response.ok ? performance.now() - begun : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

const measureBoth = (): Promise<[own: number, control: number]> => Promise.all([measure(url), measure(controlUrl)]);

// The first calls also load the modules that make them.
await measureBoth();
await measureBoth();
let calls: Promise<[own: number, control: number]>[] = [];
parentPort?.on('message', () => {
  const measured = calls;
  calls = [];
  void Promise.all(measured).then((times) => parentPort?.postMessage(times));
});
parentPort?.postMessage('ready');
for (;;) {
  calls.push(measureBoth());
  await wait(everyMs);
}
