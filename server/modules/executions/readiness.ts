import type { Pipeline, PipelineProblem } from '../../../contract/executions/pipeline.ts';
import type { Language } from '../../http/call.ts';
import type { Models } from '../../platform/llm/choose-model.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { AgentService } from '../agents/index.ts';
import { type Diagnosis, type Pipelines, problemText } from '../pipelines/index.ts';
import { failureFor } from './store/failure-texts.ts';

type ReadinessDeps = {
  pipelines: Pick<Pipelines, 'get'>;
  diagnosis: Diagnosis;
  agents: Pick<AgentService, 'modelConfigs'>;
  models: Models;
};

/** Returns every reason against a start of the pipeline now: its status, its problems, and models that cannot be called. */
export function createReadiness({ pipelines, diagnosis, agents, models }: ReadinessDeps) {
  return async (userId: OwnerId, pipelineId: string, language: Language): Promise<{ ready: boolean; reasons: PipelineProblem[] }> => {
    const pipeline = await pipelines.get(userId, pipelineId);
    const { errors } = await diagnosis.of(userId, pipelineId, language);
    const reasons = [...ofStatus(pipeline, language), ...errors, ...(await ofModels(userId, pipeline, language))];
    return { ready: reasons.length === 0, reasons };
  };

  async function ofModels(userId: OwnerId, { steps }: Pipeline, language: Language): Promise<PipelineProblem[]> {
    const modelConfigs = await agents.modelConfigs(userId, [...new Set(steps.map(({ agentId }) => agentId))]);
    return modelConfigs.flatMap((modelConfig) => {
      const chosen = models.choose(modelConfig, userId);
      if (chosen.ok) return [];
      const { code, message } = failureFor(chosen.error, language, { agent: modelConfig.title, provider: modelConfig.providerType });
      return [{ code, message, nodeId: steps.find(({ agentId }) => agentId === modelConfig.id)?.nodeId ?? null }];
    });
  }
}

export type Readiness = ReturnType<typeof createReadiness>;

function ofStatus({ status }: Pipeline, language: Language): PipelineProblem[] {
  if (status !== 'draft' && status !== 'archived') return [];
  const code = `pipeline.${status}`;
  return [{ code, message: problemText(language, code), nodeId: null }];
}
