import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { quantile } from '../../statistics.ts';
import { postgresOf } from '../bench-processes.ts';
import { openAccount } from '../client/account.ts';
import { type Clone, cloneAccount } from '../client/clone-account.ts';
import { type HttpClient, httpClient } from '../client/http-client.ts';
import { openSockets } from '../client/open-sockets.ts';
import { goals, toward } from '../goals.ts';
import { memoryMb } from '../measure/memory.ts';
import { limitOf, withUse } from '../measure/processor-use.ts';
import type { Scenario } from '../scenario.ts';

/** Each run writes a piece of text so often, for longer than the measurement lasts. */
const slowlyMs = 2_500;
const writeForMs = 180_000;
/** The time limit for starting runs; the started ones are measured. */
const startWithinMs = 75_000;
/** The time limit until the started runs have asked their models. */
const atWorkWithinMs = 120_000;

/** Thousands of users, each with a socket that follows their own run, on a separate server. */
export const followerScenario: Scenario = {
  name: 'followers',
  run: async (bench) => {
    const many = bench.quick ? 200 : 5_000;
    const seconds = bench.quick ? 2 : 10;
    const writeEveryMs = bench.quick ? 500 : slowlyMs;
    const server = await bench.anotherServer();
    const client = httpClient(server.url);
    const parts = { server: server.pid, postgres: postgresOf(server), models: bench.models.pid };
    const people = await cloneAccount(server.dataDir, await openAccount(client, `stream-${writeEveryMs}-${writeForMs}`, 1), many);
    const socketUrl = `${server.url.replace('http', 'ws')}/api/natsws?token=`;
    const crowd = await openSockets(people.map(({ token }) => `${socketUrl}${token}`));
    try {
      const calls = async () => Number(await bench.models.ask({ kind: 'calls' }));
      const callsBefore = await calls();
      const begun = performance.now();
      const started = await startAll(client, people);
      const startSeconds = (performance.now() - begun) / 1_000;
      while ((await calls()) - callsBefore < started && performance.now() - begun < atWorkWithinMs) await wait(50);
      const atWorkSeconds = (performance.now() - begun) / 1_000;
      await wait(writeEveryMs);
      crowd.begin();
      const { use } = await withUse(parts, () => wait(seconds * 1_000));
      const { perSecond, latencies, hearing } = crowd.counted();
      const memory = memoryMb(parts.server, parts.postgres);
      const what = `${many.toLocaleString('en')} WebSockets, each following its own run`;
      const floors = bench.quick ? [] : [{ atLeast: 1_900 }, { atMost: 500 }, { atMost: 600 }];
      const floor = (index: number) => (floors[index] ? { floor: floors[index] as { atMost: number } } : {});
      // A few followers say nothing about thousands.
      const goalOf: typeof toward = (goal, figure) => (bench.quick ? figure : toward(goal, figure));
      const note = `${started} runs started in ${startSeconds.toFixed(0)} s, ${hearing} at work; ${crowd.open()} sockets open; ${limitOf(use)}`;
      return [
        { what, unit: 'messages/s', value: perSecond, ...floor(0), note },
        { what: `${what}, p99`, unit: 'ms', value: quantile(latencies, 0.99) ?? Number.NaN, ...floor(1) },
        goalOf(goals.followerMemory, { what: `${what}, memory`, unit: 'MB', value: memory, ...floor(2) }),
        goalOf(goals.followersAtWork, { what: `${what}, until all are at work`, unit: 's', value: atWorkSeconds }),
      ];
    } finally {
      crowd.close();
      client.close();
      await server.stop();
    }
  },
};

async function startAll(client: HttpClient, people: readonly Clone[]): Promise<number> {
  const limit = performance.now() + startWithinMs;
  const waiting = [...people];
  let started = 0;
  const starter = async () => {
    for (let next = waiting.pop(); next && performance.now() < limit; next = waiting.pop()) {
      const body = JSON.stringify({ pipelineId: next.pipelineId, inputData: { task: 'Measure this.' } });
      const { status } = await client.send('POST', '/api/PipelineExecution/start', { token: next.token, body });
      if (status === 202) started += 1;
    }
  };
  await Promise.all(Array.from({ length: 32 }, starter));
  return started;
}
