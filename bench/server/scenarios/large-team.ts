import { performance } from 'node:perf_hooks';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import { openAccount } from '../client/account.ts';
import { cloneAgents } from '../client/clone-agents.ts';
import { goals, toward } from '../goals.ts';
import type { Scenario } from '../scenario.ts';

const many = 3_000;

/** The first run of a large team: its start stores a version of all agents. */
export const largeTeamScenario: Scenario = {
  name: 'large-team',
  run: async (bench) => {
    const account = await openAccount(bench.client(), 'instant', 1);
    const agentIds = await cloneAgents(bench.server().dataDir, account, many);
    const { body, status } = await account.call<Pipeline>('POST', '/Pipeline', {
      name: 'Large team',
      projectId: 'default',
      steps: agentIds.map((agentId) => ({ name: 'step', agentId, nodeId: agentId })),
    });
    if (status !== 201) throw new Error(`No pipeline was made: ${status}`);
    const begun = performance.now();
    const started = await account.call<{ id: string }>('POST', '/PipelineExecution/start', {
      pipelineId: body.id,
      initialTask: 'Measure this.',
    });
    const seconds = (performance.now() - begun) / 1_000;
    if (started.status !== 202) throw new Error(`A run of ${many} agents was not started: ${started.status} after ${seconds.toFixed(1)} s`);
    await account.call('POST', `/PipelineExecution/${started.body.id}/stop`);
    return [toward(goals.largeTeam, { what: 'first start of a run of 3,000 agents', unit: 's', value: seconds })];
  },
};
