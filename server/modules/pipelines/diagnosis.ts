import type { PipelineProblem } from '../../../contract/executions/pipeline.ts';
import type { Language } from '../../http/call.ts';
import { checkPipeline } from './check-pipeline.ts';
import { problemText } from './problem-text.ts';
import type { Pipelines, PipelinesDeps } from './service.ts';

/** The most problems of a kind that are listed. */
const maxProblems = 200;

/** Returns the current problems of a user's pipelines. `agentsWithoutTools` finds the agents whose models cannot call tools. */
export function createDiagnosis({
  projects,
  agents,
  pipelines,
  agentsWithoutTools,
}: Pick<PipelinesDeps, 'projects' | 'agents'> & {
  pipelines: Pick<Pipelines, 'get'>;
  agentsWithoutTools: (userId: string, ids: readonly string[]) => Promise<{ id: string; title: string; model: string }[]>;
}) {
  return {
    async of(userId: string, id: string, language: Language): Promise<{ errors: PipelineProblem[]; warnings: PipelineProblem[] }> {
      const pipeline = await pipelines.get(userId, id);
      const ids = [...new Set(pipeline.steps.map(({ agentId }) => agentId))];
      const [canvas, known, toolless] = await Promise.all([
        projects.canvas(userId, pipeline.projectId),
        agents.statusesOf(
          userId,
          pipeline.steps.map(({ agentId }) => agentId),
        ),
        agentsWithoutTools(userId, ids),
      ]);
      const withoutTools = toolless.map(({ id, title, model }) => ({
        ...{ severity: 'warning' as const, code: 'agent.noTools', params: { name: title, model } },
        nodeId: pipeline.steps.find(({ agentId }) => agentId === id)?.nodeId ?? null,
      }));
      const findings = [...checkPipeline(pipeline, known, canvas), ...withoutTools].map(({ severity, code, params, nodeId }) => ({
        severity,
        problem: { code, message: problemText(language, code, params), nodeId },
      }));
      const of = (wanted: 'error' | 'warning') =>
        findings.flatMap(({ severity, problem }) => (severity === wanted ? [problem] : [])).slice(0, maxProblems);
      return { errors: of('error'), warnings: of('warning') };
    },
  };
}

export type Diagnosis = ReturnType<typeof createDiagnosis>;
