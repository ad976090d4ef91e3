import type { PipelineProblem } from '../../../contract/executions/pipeline.ts';
import { testedSteps } from '../../../rules/run-graph/tested-steps.ts';
import type { Language } from '../../http/call.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { ComputeThread } from '../../platform/processes/compute-thread.ts';
import { checkTask, maxProblems } from './check-pipeline.ts';
import { problemText } from './problem-text.ts';
import type { Pipelines, PipelinesDeps } from './service.ts';

type WithoutTools = { id: string; title: string; model: string; mayGoWithoutTools: boolean };

/** Returns the current problems of a user's pipelines. `agentsWithoutTools` finds the agents whose models cannot call tools. */
export function createDiagnosis({
  projects,
  agents,
  pipelines,
  agentsWithoutTools,
  canRunTests,
  thread,
}: Pick<PipelinesDeps, 'projects' | 'agents'> & {
  pipelines: Pick<Pipelines, 'get'>;
  agentsWithoutTools: (userId: OwnerId, ids: readonly string[]) => Promise<WithoutTools[]>;
  /** Whether tests can be executed: the server has a runner, and the project a command. */
  canRunTests: (projectId: string) => Promise<boolean>;
  thread: Pick<ComputeThread, 'compute'>;
}) {
  return {
    async of(userId: OwnerId, id: string, language: Language): Promise<{ errors: PipelineProblem[]; warnings: PipelineProblem[] }> {
      const pipeline = await pipelines.get(userId, id);
      const ids = [...new Set(pipeline.steps.map(({ agentId }) => agentId))];
      const [canvas, known, toolless] = await Promise.all([
        projects.canvas(userId, pipeline.projectId),
        agents.statusesOf(userId, ids),
        agentsWithoutTools(userId, ids),
      ]);
      const withoutTools = toolless.map(({ id, title, model, mayGoWithoutTools }) => ({
        severity: 'warning' as const,
        code: mayGoWithoutTools ? 'agent.noTools' : 'agent.needsTools',
        params: { name: title, model },
        nodeId: pipeline.steps.find(({ agentId }) => agentId === id)?.nodeId ?? null,
      }));
      const tested = testedSteps(pipeline.links ?? []);
      const isTested = tested.length === 0 || (await canRunTests(pipeline.projectId));
      const untested = isTested ? [] : pipeline.steps.filter(({ nodeId }) => nodeId !== null && tested.includes(nodeId));
      const withoutTests = untested.map(({ name, nodeId }) => ({
        severity: 'warning' as const,
        code: 'graph.noTests',
        params: { steps: name },
        nodeId,
      }));
      const found = await thread.compute(checkTask, pipeline.steps.length, { pipeline, agents: known, nodes: canvas.nodes });
      const of = (wanted: 'error' | 'warning') =>
        [...found, ...withoutTools, ...withoutTests]
          .filter(({ severity }) => severity === wanted)
          .slice(0, maxProblems)
          .map(({ code, params, nodeId }) => ({ code, message: problemText(language, code, params), nodeId }));
      return { errors: of('error'), warnings: of('warning') };
    },
  };
}

export type Diagnosis = ReturnType<typeof createDiagnosis>;
