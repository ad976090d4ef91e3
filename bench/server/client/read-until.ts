import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { HttpClient } from './http-client.ts';

/** Reads like four users every 20 ms until `work` is done. Returns the time of each read (ms). */
export async function readUntil(client: HttpClient, token: string, work: Promise<unknown>): Promise<number[]> {
  const latencies: number[] = [];
  let going = true;
  const reader = async () => {
    while (going) {
      const from = performance.now();
      const { status } = await client.send('GET', '/api/nuroagent', { token });
      if (status !== 200) throw new Error(`A reader was answered with ${status}.`);
      latencies.push(performance.now() - from);
      await wait(20);
    }
  };
  const readers = Promise.all(Array.from({ length: 4 }, reader));
  await work.finally(() => {
    going = false;
  });
  await readers;
  return latencies;
}
