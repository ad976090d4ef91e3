import { type Handlers, paged } from '../../http/call.ts';
import { Fault } from '../../http/fault.ts';
import type { Pipelines } from './service.ts';

export type PipelineHandlersDeps = {
  pipelines: Pipelines;
  /** The status of an execution of the pipeline that has not ended, or null. */
  unfinishedStatus: (pipelineId: string) => Promise<string | null>;
};

export function pipelineHandlers({
  pipelines,
  unfinishedStatus,
}: PipelineHandlersDeps): Pick<Handlers, 'pipeline.list' | 'pipeline.get' | 'pipeline.create' | 'pipeline.remove'> {
  return {
    'pipeline.list': async ({ user, query }) => {
      const { items, total } = await pipelines.list(user.id, query.limit, query.offset);
      return paged(items, total);
    },
    'pipeline.get': ({ user, params }) => pipelines.get(user.id, params.id),
    'pipeline.create': ({ user, body, keepAnswer }) => pipelines.create(user.id, body, keepAnswer),
    'pipeline.remove': async ({ user, params }) => {
      await pipelines.get(user.id, params.id);
      const status = await unfinishedStatus(params.id);
      if (status !== null) throw new Fault('illegal_state', { details: { status } });
      await pipelines.archive(user.id, params.id);
      return undefined;
    },
  };
}
