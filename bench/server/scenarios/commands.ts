import { quantile } from '../../statistics.ts';
import { goals, toward } from '../goals.ts';
import { limitOf, withUse } from '../measure/processor-use.ts';
import { type Block, keepInFlight } from '../processes/keep-in-flight.ts';
import type { Scenario } from '../scenario.ts';

/** Single commands whose results are waited for, in turns with single-row commits. */
export const commandScenario: Scenario = {
  name: 'commands',
  run: async (bench) => {
    const { account } = await bench.followedAccount('instant');
    const [agentId] = account.agentIds;
    const command = { agentId, request: 'Measure this.', projectId: 'default', timestamp: new Date().toISOString() };
    const first = await account.call('POST', '/agentcommand/execute', command);
    if (first.status === 404) {
      console.log('commands: this server has no POST /agentcommand/execute');
      return [];
    }
    const statuses = new Map<number, number>();
    const one = async () => {
      const { status } = await account.call('POST', '/agentcommand/execute', command);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status !== 200) throw new Error(`A command was answered with ${status}.`);
    };
    const seconds = bench.quick ? 1.2 : 5;
    const { value, use } = await withUse(bench.parts(), () => keepInFlight(16, seconds, one));
    const commits = (await bench.peers.ask({ kind: 'commits', connections: 16, seconds: 1 })) as Block;
    const answers = [...statuses].map(([status, many]) => `${many} x ${status}`).join(', ');
    if (value.failed > 0) throw new Error(`commands were answered with ${answers}`);
    const what = 'single commands, 16 in flight';
    return [
      toward(goals.commandRate, {
        ...{ what, unit: 'commands/s', value: value.latencies.length / seconds, floor: { atLeast: 200 } },
        beside: [{ name: 'row commits', value: commits.latencies.length / commits.seconds }],
        note: `${limitOf(use)}; ms a command: server ${(use.server / value.done).toFixed(1)}, PostgreSQL ${(use.postgres / value.done).toFixed(1)}`,
      }),
      { what: `${what}, p99`, unit: 'ms', value: quantile(value.latencies, 0.99) ?? 0, floor: { atMost: 250 }, note: answers },
      toward(goals.commandProcessor, { what: `${what}, processor of the server`, unit: 'ms', value: use.server / value.done }),
    ];
  },
};
