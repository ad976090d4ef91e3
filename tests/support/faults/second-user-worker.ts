import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Asked } from './second-user.ts';

/**
 * Requests two servers at a steady rate on its own thread, so that the work of the test delays no measurement. A call does not wait
 * for the previous one: while a server is blocked, each call that is due in that time counts.
 */
const { asked, idle, everyMs } = workerData as { asked: Asked; idle: Asked; everyMs: number };

async function measure({ url, accessToken }: Asked): Promise<number> {
  const begun = performance.now();
  try {
    const response = await fetch(`${url}/api/project`, { headers: { authorization: `Bearer ${accessToken}` } });
    await response.arrayBuffer();
    return response.ok ? performance.now() - begun : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

const measureBoth = (): Promise<[own: number, idle: number]> => Promise.all([measure(asked), measure(idle)]);

// The first calls also load the modules that make them.
await measureBoth();
await measureBoth();
let calls: Promise<[own: number, idle: number]>[] = [];
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
