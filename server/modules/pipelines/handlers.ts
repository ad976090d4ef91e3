import { ApiError } from '../../http/api-error.ts';
import { type Handlers, paged } from '../../http/call.ts';
import type { Diagnosis } from './diagnosis.ts';
import { createPipelineSteps } from './pipeline-steps.ts';
import type { Pipelines, PipelinesDeps } from './service.ts';

type PipelineHandlersDeps = Pick<PipelinesDeps, 'db' | 'newId' | 'agents'> & {
  pipelines: Pipelines;
  diagnosis: Diagnosis;
  /** Returns the status of an active execution of the pipeline, or null. */
  unfinishedStatus: (pipelineId: string) => Promise<string | null>;
};

type PipelineHandlers = Pick<Handlers, Extract<keyof Handlers, `pipeline.${string}`>>;

export function pipelineHandlers(deps: PipelineHandlersDeps): PipelineHandlers {
  const { pipelines, diagnosis, unfinishedStatus } = deps;
  const steps = createPipelineSteps(deps);
  return {
    'pipeline.list': ({ user, query }) => paged(pipelines.list(user.ownerId, query.limit, query.offset)),
    'pipeline.get': ({ user, params }) => pipelines.get(user.ownerId, params.id),
    'pipeline.create': ({ user, body, language, storeIdempotentResponse }) =>
      pipelines.create(user.ownerId, body, language, storeIdempotentResponse),
    'pipeline.update': ({ user, params, body, language }) => pipelines.update(user.ownerId, params.id, body, language),
    'pipeline.setStatus': ({ user, params, body }) => pipelines.setStatus(user.ownerId, params.id, body.status),
    'pipeline.remove': async ({ user, params }) => {
      await pipelines.get(user.ownerId, params.id);
      const status = await unfinishedStatus(params.id);
      if (status !== null) throw new ApiError('illegal_state', { details: { status } });
      await pipelines.remove(user.ownerId, params.id);
    },
    'pipeline.diagnostics': ({ user, params, language }) => diagnosis.of(user.ownerId, params.id, language),
    'pipeline.steps': ({ user, params, query: { limit, offset } }) =>
      paged(
        pipelines.get(user.ownerId, params.id).then(({ steps: all }) => ({ items: all.slice(offset, offset + limit), total: all.length })),
      ),
    'pipeline.addStep': ({ user, params, body, language, storeIdempotentResponse }) =>
      steps.add(user.ownerId, params.id, body, language, storeIdempotentResponse),
    'pipeline.updateStep': ({ user, params, body }) => steps.update(user.ownerId, params.stepId, body),
    'pipeline.removeStep': ({ user, params }) => steps.remove(user.ownerId, params.stepId),
    'pipeline.reorderSteps': ({ user, params, body, language }) => steps.reorder(user.ownerId, params.id, body.stepIds, language),
  };
}
