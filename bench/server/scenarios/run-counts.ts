import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { preload } from '../../../tests/support/preload.ts';
import { median } from '../../statistics.ts';
import { openAccount } from '../client/account.ts';
import { followRuns } from '../client/follow-runs.ts';
import { httpClient } from '../client/http-client.ts';
import { goals, toward } from '../goals.ts';
import type { Counts } from '../processes/count-use.ts';
import type { Scenario } from '../scenario.ts';
import { oneRun } from './runs.ts';

const warmUpRuns = 50;
const runsOfBlock = 20;

/** What a run of five steps allocates, and its statements: figures that other load of the machine does not change. */
export const runCountScenario: Scenario = {
  name: 'run-counts',
  run: async (bench) => {
    const folder = await mkdtemp(join(tmpdir(), 'artel-bench-'));
    const socketPath = join(folder, 'counts');
    const server = await bench.anotherServer({
      NODE_OPTIONS: preload('../../bench/server/processes/count-use.ts'),
      BENCH_COUNTS: socketPath,
    });
    const client = httpClient(server.url);
    const account = await openAccount(client, 'instant');
    const follower = await followRuns(server.url, account.token);
    try {
      for (let run = 0; run < (bench.quick ? 10 : warmUpRuns); run += 1) await oneRun({ account, follower });
      const blocks: Counts[] = [];
      for (let block = 0; block < (bench.quick ? 1 : 6); block += 1) {
        await takeCounts(socketPath);
        const begun = performance.now();
        for (let run = 0; run < runsOfBlock; run += 1) await oneRun({ account, follower });
        const withRuns = await takeCounts(socketPath);
        await wait(performance.now() - begun);
        const without = await takeCounts(socketPath);
        blocks.push({
          allocatedBytes: (withRuns.allocatedBytes - without.allocatedBytes) / runsOfBlock,
          statements: (withRuns.statements - without.statements) / runsOfBlock,
        });
      }
      const middle = (count: keyof Counts) => median(blocks.map((block) => block[count])) ?? 0;
      const note = 'with what it causes in the background; less what as much time without runs takes';
      return [
        toward(goals.runAllocated, { what: 'a run of five steps, allocated', unit: 'KiB', value: middle('allocatedBytes') / 1_024, note }),
        toward(goals.runStatements, { what: 'a run of five steps, statements', unit: 'statements', value: middle('statements'), note }),
      ];
    } finally {
      follower.close();
      client.close();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** The counts since the call before. */
async function takeCounts(socketPath: string): Promise<Counts> {
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http.get({ socketPath, agent: false }, resolve).once('error', reject);
  });
  return JSON.parse(await text(response)) as Counts;
}
