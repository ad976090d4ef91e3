import type { Pipeline, PipelineLink } from '../../../contract/executions/pipeline.ts';
import { quantile } from '../../statistics.ts';
import type { FollowedAccount } from '../bench-processes.ts';
import { goals, toward } from '../goals.ts';
import { keepInFlight } from '../processes/keep-in-flight.ts';
import type { Scenario } from '../scenario.ts';

const branches = 64;
const atOnce = 16;
const stepMs = 50;
const model = `after-${stepMs}`;

/** Runs of a graph: one step, 64 branches of which 16 work at the same time, and a step that joins them. */
export const graphScenario: Scenario = {
  name: 'graphs',
  run: async (bench) => {
    const { account } = await bench.followedAccount(model);
    const [agentId = ''] = account.agentIds;
    const middle = Array.from({ length: branches }, (_, at) => `branch-${at}`);
    const link = (from: string, to: string): PipelineLink => ({ id: `${from}>${to}`, from, to });
    const makeGraph = async (nodeIds: string[], links: PipelineLink[]): Promise<() => Promise<void>> => {
      const steps = nodeIds.map((nodeId) => ({ name: nodeId, agentId, nodeId }));
      const graph = { name: 'Graph', projectId: 'default', maxParallel: atOnce, steps, links };
      const made = await account.call<Pipeline>('POST', '/Pipeline', graph);
      if (made.status !== 201) throw new Error(`No graph was made: ${made.status}`);
      return () => oneGraph(bench.followedAccount(model), made.body.id);
    };
    const joined = await makeGraph(
      ['first', ...middle, 'join'],
      middle.flatMap((branch) => [link('first', branch), link(branch, 'join')]),
    );
    const alone = await keepInFlight(1, bench.quick ? 1.5 : 6, joined);
    const together = await keepInFlight(4, bench.quick ? 1.5 : 6, joined);
    // Without any link steps run in their order. One link makes a graph of them, whose other steps need nothing.
    const [first = '', last = ''] = [middle[0], middle.at(-1)];
    const free = await keepInFlight(1, bench.quick ? 1.5 : 6, await makeGraph(middle, [link(first, last)]));
    const failed = alone.failed + together.failed + free.failed;
    if (failed > 0) throw new Error(`${failed} graphs failed`);
    const calls = branches + 2;
    // First, four waves of sixteen, and the join: six model calls one after another.
    const note = `${calls} model calls a run; the calls alone take ${(2 + branches / atOnce) * stepMs} ms`;
    const what = `${branches} branches, ${atOnce} at once, model answers in ${stepMs} ms`;
    return [
      { what: `${what}, one in flight, median`, unit: 'ms', value: quantile(alone.latencies, 0.5) ?? Number.NaN, note },
      { what: `${what}, four in flight`, unit: 'runs/s', value: together.latencies.length / together.seconds },
      { what: `${what}, four in flight, p99`, unit: 'ms', value: quantile(together.latencies, 0.99) ?? Number.NaN },
      toward(goals.branches, {
        ...{ what: `${branches} steps with one link, ${atOnce} at once, model answers in ${stepMs} ms, median`, unit: 'ms' },
        value: quantile(free.latencies, 0.5) ?? Number.NaN,
        note: `the calls alone take ${(branches / atOnce) * stepMs} ms`,
      }),
    ];
  },
};

async function oneGraph(opened: Promise<FollowedAccount>, pipelineId: string): Promise<void> {
  const { account, follower } = await opened;
  const started = await account.call<{ id: string }>('POST', '/PipelineExecution/start', { pipelineId, initialTask: 'Measure this.' });
  if (started.status !== 202) throw new Error(`A graph was not started: ${started.status}`);
  if (!(await follower.ended(started.body.id)).completed) throw new Error('A graph did not complete.');
}
