import type { Pipeline, PipelineLink } from '../../../contract/executions/pipeline.ts';
import { quantile } from '../../statistics.ts';
import { keepInFlight } from '../processes/keep-in-flight.ts';
import type { Scenario } from '../scenario.ts';

const branches = 64;
const atOnce = 16;
const stepMs = 50;

/** Runs of a graph: one step, 64 branches of which 16 work at the same time, and a step that joins them. */
export const graphScenario: Scenario = {
  name: 'graphs',
  run: async (bench) => {
    const { account, follower } = await bench.followedAccount(`after-${stepMs}`);
    const [agentId = ''] = account.agentIds;
    const middle = Array.from({ length: branches }, (_, at) => `branch-${at}`);
    const link = (from: string, to: string): PipelineLink => ({ id: `${from}>${to}`, from, to });
    const made = await account.call<Pipeline>('POST', '/Pipeline', {
      ...{ name: 'Graph', projectId: 'default', maxParallel: atOnce },
      steps: ['first', ...middle, 'join'].map((nodeId) => ({ name: nodeId, agentId, nodeId })),
      links: middle.flatMap((branch) => [link('first', branch), link(branch, 'join')]),
    });
    if (made.status !== 201) throw new Error(`No graph was made: ${made.status}`);
    const one = async (): Promise<void> => {
      const started = await account.call<{ id: string }>('POST', '/PipelineExecution/start', {
        pipelineId: made.body.id,
        initialTask: 'Measure this.',
      });
      if (started.status !== 202) throw new Error(`A graph was not started: ${started.status}`);
      if (!(await follower.ended(started.body.id)).completed) throw new Error('A graph did not complete.');
    };
    const alone = await keepInFlight(1, bench.quick ? 1.5 : 6, one);
    const together = await keepInFlight(4, bench.quick ? 1.5 : 6, one);
    const failed = alone.failed + together.failed;
    if (failed > 0) throw new Error(`${failed} graphs failed`);
    const calls = branches + 2;
    // First, four waves of sixteen, and the join: six model calls one after another.
    const note = `${calls} model calls a run; the calls alone take ${(2 + branches / atOnce) * stepMs} ms`;
    const what = `${branches} branches, ${atOnce} at once, model answers in ${stepMs} ms`;
    return [
      { what: `${what}, one in flight, median`, unit: 'ms', value: quantile(alone.latencies, 0.5) ?? 0, note },
      { what: `${what}, four in flight`, unit: 'runs/s', value: together.latencies.length / together.seconds },
      { what: `${what}, four in flight, p99`, unit: 'ms', value: quantile(together.latencies, 0.99) ?? 0 },
    ];
  },
};
