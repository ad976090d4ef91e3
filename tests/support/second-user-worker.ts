import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/** Asks for one address again and again on a thread of its own, so that what the test does beside it delays no measurement. */
const { url, accessToken, everyMs } = workerData as { url: string; accessToken: string; everyMs: number };
const times: number[] = [];
let isStopped = false;
parentPort?.on('message', () => {
  isStopped = true;
});
while (!isStopped) {
  const begun = performance.now();
  const response = await fetch(url, { headers: { authorization: `Bearer ${accessToken}` } });
  await response.arrayBuffer();
  times.push(response.ok ? performance.now() - begun : Number.POSITIVE_INFINITY);
  await wait(everyMs);
}
parentPort?.postMessage(times);
parentPort?.close();
