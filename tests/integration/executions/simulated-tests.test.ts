import { expect, test } from 'vitest';
import type { ExecutionFiles, PullRequest } from '../../../contract/executions/file.ts';
import type { Pipeline, PipelineCreation } from '../../../contract/executions/pipeline.ts';
import type { ToolCall } from '../../../contract/executions/tool-call.ts';
import { featureReviewFlow } from '../../../contract/flow-templates.ts';
import { setUpAccount, setUpServer } from '../../support/set-up/for-vitest.ts';

const server = setUpServer(() => ({ ARTEL_SIMULATED_ANSWER_MS: '0' }));
const ann = setUpAccount(server);

test('C4.07 without a key and a runner the first run shows the loop: tests fail, the developer reads why, tests pass; all of it is simulated', async () => {
  const steps = ['developer', 'qa', 'assistant'].map((name) => ({ name, agentId: ann.agent(name).id, nodeId: name }));
  const ofFlow = (to: string) => featureReviewFlow.connections.find((link) => link.from === 'qa' && link.to === to)?.run;
  const links: PipelineCreation['links'] = [
    { id: 'forth', from: 'developer', to: 'qa' },
    { id: 'back', from: 'qa', to: 'developer', label: 'rework', ...ofFlow('developer') },
    { id: 'on', from: 'qa', to: 'assistant', label: 'accepted', ...ofFlow('person') },
  ];
  const { body: pipeline } = await ann.call<Pipeline>('POST', '/Pipeline', { name: 'Review', projectId: 'default', steps, links });
  const { id } = await ann.start(pipeline, 'Accept requests of users');
  const run = await ann.until(id, ({ status }) => status === 'completed' || status === 'failed');
  expect(run.status).toBe('completed');
  const rounds = (role: string) => run.steps.filter((step) => step.role === role).toSorted((a, b) => (a.round ?? 0) - (b.round ?? 0));
  expect(rounds('QA').map(({ testRun, choice }) => [testRun?.simulated, testRun?.exitCode, testRun?.counts, choice])).toEqual([
    [true, 1, { passed: 1, failed: 1 }, 'rework'],
    [true, 0, { passed: 2, failed: 0 }, 'accepted'],
  ]);
  const [, second] = rounds('Developer');
  expect(second?.result).toContain('The log of the tests says (simulated): `not ok 2 - an empty value is refused`.');
  const { body: calls } = await ann.call<ToolCall[]>('GET', `/PipelineExecution/${id}/calls`);
  expect(calls.filter(({ stepId }) => stepId === second?.stepId).map(({ tool, state }) => [tool, state])).toEqual([
    ['read_file', 'done'],
    ['edit_file', 'done'],
  ]);
  const { body: files } = await ann.call<ExecutionFiles>('GET', `/PipelineExecution/${id}/files`);
  expect(files.files.find(({ path }) => path.endsWith('/rules.ts'))?.versions).toBe(2);
  const { body: asked } = await ann.call<PullRequest>('GET', `/PipelineExecution/${id}/pull-request`);
  expect(asked.description).toContain('Not executed: nothing here has been run or tested.');
});
