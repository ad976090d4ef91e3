import type { PipelineProblem } from '../../../contract/pipeline.ts';
import type { Language } from '../../http/call.ts';
import { checkPipeline } from './check-pipeline.ts';
import { problemText } from './problem-text.ts';
import type { Pipelines, PipelinesDeps } from './service.ts';

/** The most problems of a kind that are listed. */
const maxProblems = 200;

/** Returns the current problems of a user's pipelines. */
export function createDiagnosis({
  projects,
  agents,
  pipelines,
}: Pick<PipelinesDeps, 'projects' | 'agents'> & { pipelines: Pick<Pipelines, 'get'> }) {
  return {
    async of(userId: string, id: string, language: Language): Promise<{ errors: PipelineProblem[]; warnings: PipelineProblem[] }> {
      const pipeline = await pipelines.get(userId, id);
      const [canvas, known] = await Promise.all([
        projects.canvas(userId, pipeline.projectId),
        agents.statusesOf(
          userId,
          pipeline.steps.map(({ agentId }) => agentId),
        ),
      ]);
      const findings = checkPipeline(pipeline, known, canvas).map(({ severity, code, params, nodeId }) => ({
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
