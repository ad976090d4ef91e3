import { expect, test } from 'vitest';
import { linksOfRun, linksTask } from '../../../../server/modules/executions/graph/links-of-run.ts';
import { checkTask, listProblems } from '../../../../server/modules/pipelines/check-pipeline.ts';
import { createComputeThread } from '../../../../server/platform/processes/compute-thread.ts';

const thread = createComputeThread({ error: () => {} });
const ids = Array.from({ length: 501 }, (_, at) => `n${at}`);
const links = ids.slice(1).map((to, at) => ({ id: `${ids[at]}-${to}`, from: ids[at] ?? '', to }));

test('G8.29 the thread computes the same links of a long run as a direct call', async () => {
  const graph = JSON.stringify({ nodes: ids.map((id) => ({ id })), links, groups: [] });
  const ended = new Set(['n0', 'n1']);
  const steps = ids.map((id) => ({ id, nodeId: id, round: 0, item: 0, status: ended.has(id) ? 'completed' : 'pending', choice: null }));
  const run = { graph, steps: JSON.stringify(steps), hasEnded: false };
  const text = await thread.compute(linksTask, ids.length, run);
  expect(text).toBe(linksOfRun(run));
  expect(JSON.parse(text).slice(0, 3)).toMatchObject([{ state: 'taken' }, { state: 'waiting' }, { state: 'pending' }]);
});

test('G8.29 the thread finds the same problems of a long pipeline as a direct call, and lists a limited number of each kind', async () => {
  const plain = { description: '', agentId: 'a', timeoutSeconds: 60, type: 1 as const };
  const steps = ids.map((nodeId, orderIndex) => ({ ...plain, id: nodeId, name: nodeId, nodeId, orderIndex }));
  const at = '2026-11-20T12:00:00.000Z';
  const pipeline = {
    ...{
      id: 'p',
      projectId: 'project',
      name: 'Long',
      description: '',
      configuration: '{}',
      status: 'ready' as const,
      isDemo: false,
      steps,
    },
    ...{ maxExecutionTimeSeconds: 60, createdAt: at, updatedAt: at },
  };
  const input = { pipeline, agents: [], nodes: {} };
  const found = await thread.compute(checkTask, ids.length, input);
  expect(found).toEqual(listProblems(input));
  expect(found.filter(({ severity }) => severity === 'warning')).toHaveLength(200);
  await thread.close();
});
