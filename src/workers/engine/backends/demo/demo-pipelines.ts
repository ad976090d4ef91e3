import type { Pipeline, PipelineCreation } from '../../../../../contract/executions/pipeline.ts';
import type { StepSettings } from '../../../../../contract/executions/run-graph.ts';
import type { DemoAgentKey } from './demo-team.ts';
import { demoAgentId } from './demo-team.ts';
import type { DemoTexts } from './demo-texts.ts';

/** The project's two pipelines: from the task to the code, and a short one. W9.05 */
const pipelines: Record<'full' | 'quick', readonly DemoAgentKey[]> = {
  full: ['assistant', 'product', 'project', 'lead', 'frontend', 'backend'],
  quick: ['lead', 'frontend', 'backend'],
};

/** `at`: when they were created, ISO 8601. */
export function demoPipelines(projectId: string, texts: DemoTexts, at: string): Pipeline[] {
  return Object.entries(pipelines).map(([key, agents]) => {
    const { name, description } = texts.pipelines[key as keyof typeof pipelines];
    const steps = agents.map((agent) => ({ name: texts.agents[agent].title, agentId: demoAgentId(agent), nodeId: demoAgentId(agent) }));
    return demoPipeline(`demo-pipeline-${key}`, { name, description, projectId, steps }, at);
  });
}

/** A pipeline in the form of the server's answer. */
export function demoPipeline(id: string, creation: PipelineCreation, at: string): Pipeline {
  const { name, description, projectId, steps, configuration, links, maxParallel } = creation;
  return {
    id,
    name,
    description: description ?? '',
    projectId,
    configuration: configuration ?? '{}',
    status: 'ready',
    isDemo: true,
    maxExecutionTimeSeconds: null,
    createdAt: at,
    updatedAt: at,
    ...(links && { links }),
    ...(maxParallel && { maxParallel }),
    steps: steps.map((step, orderIndex) => ({
      id: `${id}-${orderIndex}`,
      name: step.name,
      description: step.description ?? '',
      orderIndex,
      agentId: step.agentId,
      nodeId: step.nodeId ?? null,
      timeoutSeconds: 1_800,
      type: 1,
      // Of a card of this canvas: nothing in them is left out.
      ...(step.settings && { settings: step.settings as StepSettings }),
    })),
  };
}
