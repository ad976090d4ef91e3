import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { goals, toward } from '../goals.ts';
import type { Scenario } from '../scenario.ts';

const runs = 20;
const patienceMs = 60_000;

/** The server killed while twenty runs are in their third step. */
export const killScenario: Scenario = {
  name: 'kill',
  run: async (bench) => {
    const calls = async () => Number(await bench.models.ask({ kind: 'calls' }));
    const { account } = await bench.followedAccount('held-third');
    const before = await calls();
    await bench.models.ask({ kind: 'hold', on: true });
    const ids = await Promise.all(Array.from({ length: runs }, account.start));
    await until(async () => (await calls()) - before === runs * 3);
    await bench.killAndRestart(() => bench.models.ask({ kind: 'hold', on: false }));

    const restarted = performance.now();
    const statusOf = async (id: string) => {
      const answer = await bench.client().send('GET', `/api/PipelineExecution/${id}`, { token: account.token });
      return (JSON.parse(answer.body) as { status: string }).status;
    };
    let completed = 0;
    await until(async () => {
      const now = await Promise.all(ids.map(statusOf));
      completed = now.filter((status) => status === 'completed').length;
      return now.every((status) => status !== 'running' && status !== 'pending');
    });
    const tookMs = performance.now() - restarted;
    const what = `server killed with ${runs} runs in step 3`;
    return [
      { what: `${what}, completed`, unit: 'runs', value: completed, floor: { atLeast: runs } },
      { what: `${what}, model calls`, unit: 'calls', value: (await calls()) - before, floor: { atMost: runs * 6 } },
      toward(goals.killedRuns, { what: `${what}, from ready to the last end`, unit: 's', value: tookMs / 1_000, floor: { atMost: 30 } }),
    ];
  },
};

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const limit = performance.now() + patienceMs; !(await holds()); await wait(50)) {
    if (performance.now() > limit) throw new Error('what was waited for did not come about');
  }
}
