import { randomUUID } from 'node:crypto';
import type { CreatedTrigger } from '../../../contract/trigger.ts';
import { median } from '../../statistics.ts';
import type { BenchProcesses } from '../bench-processes.ts';
import { openAccount } from '../client/account.ts';
import { type Block, keepInFlight } from '../processes/keep-in-flight.ts';
import type { Scenario } from '../scenario.ts';
import { oneRun } from './runs.ts';

/** The pause between two fires (ms). */
const fireMs = 1_000;

/** Runs of five steps, in turns without and with one signed webhook a second that starts a run of another account. */
export const fireScenario: Scenario = {
  name: 'fires',
  run: async (bench) => {
    const [rounds, seconds] = bench.quick ? [1, 3] : [3, 10];
    const followed = await bench.followedAccount('instant');
    const fire = await makeWebhook(bench);
    const alone: Block[] = [];
    const beside: Block[] = [];
    const fires: Promise<number>[] = [];
    for (let round = 0; round < rounds; round += 1) {
      alone.push(await keepInFlight(16, seconds, () => oneRun(followed)));
      const timer = setInterval(() => fires.push(fire()), fireMs);
      beside.push(await keepInFlight(16, seconds, () => oneRun(followed)));
      clearInterval(timer);
    }
    const refused = (await Promise.all(fires)).find((status) => status !== 202);
    if (refused !== undefined) throw new Error(`A fire was answered with ${refused}.`);
    const failed = [...alone, ...beside].reduce((sum, block) => sum + block.failed, 0);
    if (failed > 0) throw new Error(`${failed} runs failed`);
    return [
      {
        what: 'five steps, model answers at once, 16 in flight, one fire a second',
        unit: 'runs/s',
        value: rateOf(beside),
        note: `${fires.length} fires`,
        beside: [{ name: 'without fires', value: rateOf(alone), atLeast: 0.95 }],
      },
    ];
  },
};

/** Makes a webhook of an account of its own. Returns what sends it another event, and returns the status of the answer: 0 without one. */
async function makeWebhook(bench: BenchProcesses): Promise<() => Promise<number>> {
  const account = await openAccount(bench.client(), 'instant', 1);
  const demand = async <T>(path: string, body: object): Promise<T> => {
    const answer = await account.call<T>('POST', `/project/default/${path}`, body);
    if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const release = { pipelineId: account.pipelineId, slug: 'bench', title: 'Bench', task: 'Measure this.' };
  const { id: teamId } = await demand<{ id: string }>('released-teams', release);
  const settings = { kind: 'webhook', scheme: 'bearer' };
  const hook = await demand<CreatedTrigger>('triggers', { name: 'Bench', teamId, budget: { calls: 100_000 }, overlap: 'queue', settings });
  return () => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${hook.secret}`, 'idempotency-key': randomUUID() };
    return fetch(`${bench.server().url}/hooks/${hook.id}`, { method: 'POST', body: '{}', headers }).then(
      ({ status }) => status,
      () => 0,
    );
  };
}

/** The median over the rounds, so that one disturbed round does not count. */
function rateOf(blocks: readonly Block[]): number {
  return median(blocks.map(({ latencies, seconds }) => latencies.length / seconds)) ?? 0;
}
