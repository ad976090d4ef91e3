import type { OperationDocs } from './operation.ts';
import { sampleIds, samplePipeline, samplePipelineStep } from './samples.ts';

const id = sampleIds.pipeline;
const stepId = sampleIds.step;
const newStep = { name: 'Developer', agentId: sampleIds.agent, nodeId: 'node-developer' };
const newTester = { name: 'Tester', agentId: sampleIds.otherAgent, nodeId: 'node-qa' };
const newWriter = { name: 'Writer', agentId: sampleIds.agent, nodeId: 'node-writer' };
const tester = { ...samplePipelineStep, id: sampleIds.otherStep, name: 'Tester', agentId: sampleIds.otherAgent, nodeId: 'node-qa' };

export const pipelineOperations: OperationDocs<'pipeline'> = {
  'pipeline.list': {
    summary: 'List pipelines',
    description:
      'Returns the pipelines of the caller with their steps. A page ends early when its pipelines are large: read on with `offset` plus the number that you received.',
    example: { query: { limit: 20 }, response: [samplePipeline] },
  },
  'pipeline.get': {
    summary: 'Get a pipeline',
    description:
      'Returns one pipeline of the caller with its steps. That of a released team can be read too, and is neither listed nor changed.',
    example: { params: { id }, response: samplePipeline },
  },
  'pipeline.create': {
    summary: 'Create a pipeline',
    description:
      "Creates a pipeline of at most 10,000 steps, each with an agent of the caller. The steps run one after another, or along `links` with branches, choices, loops and lists. Fails with 400 when the links cannot run, and with 409 `canvas_stale` when the project's canvas no longer has `canvasVersion`.",
    example: {
      body: {
        name: 'Feature with review',
        projectId: sampleIds.project,
        maxParallel: 4,
        steps: [newStep, newTester, newWriter],
        links: [
          { id: 'build', from: 'node-developer', to: 'node-qa' },
          { id: 'again', from: 'node-qa', to: 'node-developer', label: 'rejected', maxRounds: 3 },
          { id: 'done', from: 'node-qa', to: 'node-writer', label: 'accepted' },
        ],
      },
      response: samplePipeline,
    },
  },
  'pipeline.remove': {
    summary: 'Delete a pipeline',
    description: 'Removes a pipeline of the caller from all lists. Its executions stay. Fails with 409 while one of them has not ended.',
    example: { params: { id } },
  },
  'pipeline.update': {
    summary: 'Change a pipeline',
    description:
      'Changes the fields that the body holds. `steps` replaces all steps; a step with a known `id` keeps it. Fails with 409 when the pipeline is archived.',
    example: { params: { id }, body: { name: 'Quick fix 2' }, response: { ...samplePipeline, name: 'Quick fix 2' } },
  },
  'pipeline.setStatus': {
    summary: 'Set the status of a pipeline',
    description:
      'Sets the status to `draft`, `ready` or `archived`. Only a pipeline that is ready can start an execution. Fails with 409 while an execution of it has not ended.',
    example: { params: { id }, body: { status: 'archived' }, response: { ...samplePipeline, status: 'archived' } },
  },
  'pipeline.diagnostics': {
    summary: 'Check a pipeline',
    description: 'Returns the errors and warnings of a pipeline of the caller. Errors prevent a start, warnings do not.',
    example: {
      params: { id },
      response: { errors: [], warnings: [{ code: 'agent.notActive', message: 'The agent is not active.', nodeId: 'node-developer' }] },
    },
  },
  'pipeline.steps': {
    summary: 'List the steps of a pipeline',
    description: 'Returns the steps of a pipeline of the caller in their order.',
    example: { params: { id }, response: [samplePipelineStep] },
  },
  'pipeline.addStep': {
    summary: 'Add a step',
    description: 'Adds a step at `orderIndex`, or at the end without it. A pipeline has at most 10,000 steps; one more gets 409.',
    example: { params: { id }, body: newStep, response: samplePipelineStep },
  },
  'pipeline.updateStep': {
    summary: 'Change a step',
    description: 'Changes the fields that the body holds. A new `orderIndex` moves the step.',
    example: { params: { stepId }, body: { timeoutSeconds: 600 }, response: { ...samplePipelineStep, timeoutSeconds: 600 } },
  },
  'pipeline.removeStep': {
    summary: 'Delete a step',
    description: 'Deletes a step from its pipeline. The later steps move up.',
    example: { params: { stepId } },
  },
  'pipeline.reorderSteps': {
    summary: 'Reorder the steps',
    description: 'Puts the steps into the order of `stepIds`, which must name every step once. Fails with 409 when the steps have changed.',
    example: {
      params: { id },
      body: { stepIds: [sampleIds.otherStep, sampleIds.step] },
      response: [tester, { ...samplePipelineStep, orderIndex: 1 }],
    },
  },
};
