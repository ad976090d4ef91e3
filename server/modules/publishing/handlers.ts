import { ApiError } from '../../http/api-error.ts';
import type { Handlers } from '../../http/call.ts';
import type { Publishing } from './service.ts';

type Names =
  | 'project.gitTarget'
  | 'project.putGitTarget'
  | 'project.removeGitTarget'
  | 'execution.publication'
  | 'execution.publish'
  | 'execution.followUp'
  | 'execution.bundle';

export function publishingHandlers(publishing: Publishing): Pick<Handlers, Names> {
  return {
    'project.gitTarget': ({ user, params }) => publishing.target(user.ownerId, params.id),
    'project.putGitTarget': ({ user, params, body }) => publishing.putTarget(user.ownerId, params.id, body),
    'project.removeGitTarget': ({ user, params }) => publishing.removeTarget(user.ownerId, params.id),
    'execution.publication': ({ user, params, language }) => publishing.plan(user.ownerId, params.id, language),
    'execution.publish': async ({ user, params, body, language, signal }) => {
      // What runs by itself is confirmed by a person alone.
      if (user.key && body.automation.length > 0) throw new ApiError('key_not_allowed', { details: { kind: 'automation' } });
      return publishing.publish({ userId: user.ownerId, executionId: params.id, ...body, language, signal });
    },
    'execution.followUp': ({ user, params, language, signal }) =>
      publishing.followUp({ userId: user.ownerId, executionId: params.id, language, signal }),
    'execution.bundle': ({ user, params, language, signal }) =>
      publishing.bundle({ userId: user.ownerId, executionId: params.id, language, signal }),
  };
}
