import type { Handlers } from '../../../http/call.ts';
import type { PreparedExecutions } from '../prepared-executions.ts';
import { runSingleStep, type SingleStepDeps } from '../run-single-step.ts';

type Names = 'execution.create' | 'execution.update' | 'execution.remove' | 'execution.runStep';

export function executionChangeHandlers(prepared: PreparedExecutions, deps: SingleStepDeps): Pick<Handlers, Names> {
  return {
    'execution.create': ({ user, body, language, idempotencyKey, storeIdempotentResponse }) =>
      prepared.create(
        { userId: user.id, creation: body, language: user.language ?? language },
        idempotencyKey === null ? null : storeIdempotentResponse,
      ),
    'execution.update': ({ user, params, body }) => prepared.update(user.id, params.id, body),
    'execution.remove': async ({ user, params }) => {
      await prepared.remove(user.id, params.id);
      return undefined;
    },
    'execution.runStep': ({ user, params, language, storeIdempotentResponse }) =>
      runSingleStep(deps, { userId: user.id, executionId: params.id, stepId: params.stepId, language, storeIdempotentResponse }),
  };
}
