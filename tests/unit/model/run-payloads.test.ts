import { expect, test } from 'vitest';
import type { CanvasNode } from '../../../contract/canvas.ts';
import { parallelByBranches } from '../../../contract/executions/parallel-steps.ts';
import { runGraphOf } from '../../../rules/run-graph/run-graph-of.ts';
import { planPipeline } from '../../../src/model/run/plan/pipeline-plan.ts';
import { dialogMessageOf, executionStartOf, pipelineOf } from '../../../src/model/run/plan/run-payloads.ts';
import { chainDocument, dialogNode, link, projectId, team } from '../../support/engine/samples.ts';

const document = chainDocument();
document.nodes.d = dialogNode('d', 0, 0, { goal: 'A shop', triggerCommand: 'review' });
const dialog = document.nodes.d as CanvasNode;
const planned = planPipeline(document, team, dialog);
if (!planned.ok) throw new Error('The chain runs');
const { plan } = planned;
const agents = ['a', 'b', 'c'].map((nodeId, index) => ({ nodeId, agent: team[index] }));

test('W3.05 a pipeline has its project, its steps in order and, as JSON, its links', () => {
  expect(pipelineOf(plan, projectId, 'Shop')).toEqual({
    name: 'Dialog',
    description: 'A shop',
    projectId,
    steps: agents.map(({ nodeId, agent }, orderIndex) => ({
      ...{ name: agent?.title, description: '', agentId: agent?.id, nodeId, orderIndex },
      ...{ timeoutSeconds: 1_800, type: 1 },
    })),
    configuration: JSON.stringify({ connections: Object.values(document.connections), flowType: 'sequential' }),
  });
  expect(pipelineOf({ ...plan, dialog: null }, projectId, 'Shop')).toMatchObject({ name: 'Shop', description: '' });
});

test('D4.01 the pipeline of cards straight behind a dialog says that no step waits for another', () => {
  const apart = structuredClone(document);
  apart.connections = Object.fromEntries(['a', 'b', 'c'].map((to) => [to, link('d', to)]));
  const of = planPipeline(apart, team, dialog, { parallelSteps: parallelByBranches });
  if (!of.ok) throw new Error('The cards run');
  const { links, groups, maxParallel, configuration } = pipelineOf(of.plan, projectId, 'Shop');
  expect(links).toEqual([]);
  const steps = of.plan.steps.map(({ nodeId }) => ({ id: nodeId, nodeId }));
  const graph = runGraphOf({ steps, links: [], groups: groups as [], maxParallel, configuration });
  expect(graph).toMatchObject({ links: [], maxParallel: 4 });
});

test('W3.05 W4.17 W9.03 a start has the task, the dialog, the agents with their links, the command, its priority and its times', () => {
  const message = dialogMessageOf(document, dialog, 'Build it', 0);
  const inputData = {
    ...{ task: 'Build it', userMessage: 'Build it' },
    agents: agents.map(({ nodeId, agent }) => ({ id: nodeId, title: agent?.title })),
    connections: Object.values(document.connections),
  };
  const times = { priority: 5, timeoutSeconds: 3_600, pauseBetweenStepsMs: 1_000, startAfterMs: 1_000 };
  expect(executionStartOf(plan, 'p-1', { task: 'Build it', message })).toEqual({
    ...{ pipelineId: 'p-1', initialTask: 'Build it', ...times },
    inputData: {
      ...inputData,
      dialogNode: { id: 'd', title: 'Dialog', goal: 'A shop' },
      ...{ source: 'dialog', triggerCommand: 'review', begunWith: { nodeIds: ['d'] }, message },
    },
  });
  expect(executionStartOf({ ...plan, dialog: null, begunWith: { nodeIds: [] } }, 'p-1', { task: 'Build it', message: null })).toEqual({
    ...{ pipelineId: 'p-1', initialTask: 'Build it', ...times },
    inputData: { ...inputData, dialogNode: null, source: 'workspace', triggerCommand: 'start_workflow', begunWith: { nodeIds: [] } },
  });
});
