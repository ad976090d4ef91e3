import type { PipelineProblem } from '../../../contract/executions/pipeline.ts';
import type { Language } from '../../http/call.ts';
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
  thread,
}: Pick<PipelinesDeps, 'projects' | 'agents'> & {
  pipelines: Pick<Pipelines, 'get'>;
  agentsWithoutTools: (userId: string, ids: readonly string[]) => Promise<WithoutTools[]>;
  thread: Pick<ComputeThread, 'compute'>;
}) {
  return {
    async of(userId: string, id: string, language: Language): Promise<{ errors: PipelineProblem[]; warnings: PipelineProblem[] }> {
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
      const found = await thread.compute(checkTask, pipeline.steps.length, { pipeline, agents: known, nodes: canvas.nodes });
      const of = (wanted: 'error' | 'warning') =>
        [...found, ...withoutTools]
          .filter(({ severity }) => severity === wanted)
          .slice(0, maxProblems)
          .map(({ code, params, nodeId }) => ({ code, message: problemText(language, code, params), nodeId }));
      return { errors: of('error'), warnings: of('warning') };
    },
  };
}

export type Diagnosis = ReturnType<typeof createDiagnosis>;
