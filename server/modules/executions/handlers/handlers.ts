import { type Handlers, paged } from '../../../http/call.ts';
import type { PreparedExecutions } from '../prepared-executions.ts';
import type { Executions } from '../service.ts';

type Names =
  | 'execution.list'
  | 'execution.start'
  | 'execution.get'
  | 'execution.details'
  | 'execution.logs'
  | 'execution.pause'
  | 'execution.resume'
  | 'execution.stop'
  | 'execution.nextStep'
  | 'execution.addContext';

export function executionHandlers(executions: Executions, prepared: Pick<PreparedExecutions, 'start'>): Pick<Handlers, Names> {
  return {
    'execution.list': ({ user, query }) => paged(executions.list(user.ownerId, query)),
    'execution.start': ({ user, body, language, idempotencyKey, storeIdempotentResponse }) =>
      body.executionId === undefined
        ? executions.start(
            { userId: user.ownerId, creation: body, language: user.language ?? language, key: user.key },
            idempotencyKey === null ? null : storeIdempotentResponse,
          )
        : prepared.start(user.ownerId, body.executionId, body.pipelineId, storeIdempotentResponse),
    'execution.get': ({ user, params }) => executions.get(user.ownerId, params.id),
    'execution.details': ({ user, params }) => executions.details(user.ownerId, params.id),
    'execution.logs': ({ user, params, query }) => executions.events(user.ownerId, params.id, query.since, query.limit),
    'execution.pause': ({ user, params }) => executions.pause(user.ownerId, params.id),
    'execution.resume': ({ user, params }) => executions.resume(user.ownerId, params.id),
    'execution.stop': ({ user, params }) => executions.stop(user.ownerId, params.id),
    'execution.nextStep': ({ user, params }) => executions.nextStep(user.ownerId, params.id),
    'execution.addContext': ({ user, params, body, storeIdempotentResponse }) =>
      executions.addContext({ user, id: params.id, context: body }, storeIdempotentResponse),
  };
}
