import type { z } from 'zod';
import { endOf, startOf } from '../../../contract/day.ts';
import type { resultSearch } from '../../../contract/executions/result.ts';
import { ApiError } from '../../http/api-error.ts';
import { type Handlers, paged } from '../../http/call.ts';
import type { ResultFilter } from './repository.ts';
import type { Results } from './service.ts';

type ResultHandlers = Pick<Handlers, Extract<keyof Handlers, `result.${string}`>>;

export function resultHandlers(results: Results): ResultHandlers {
  const listed = (...asked: Parameters<Results['list']>) => paged(results.list(...asked));
  return {
    'result.list': ({ user, params, query }) => listed(user.ownerId, params.projectId, {}, query),
    'result.byType': ({ user, params, query }) => listed(user.ownerId, params.projectId, { type: params.type }, query),
    'result.byStatus': ({ user, params, query }) => listed(user.ownerId, params.projectId, { status: params.status }, query),
    'result.byUser': ({ user, params, query }) => {
      if (params.userId !== user.ownerId) throw new ApiError('not_found');
      return listed(user.ownerId, params.projectId, {}, query);
    },
    'result.search': ({ user, params, query }) => listed(user.ownerId, params.projectId, filterOf(query), query),
    'result.recent': ({ user, params, query }) => listed(user.ownerId, params.projectId, {}, { limit: query.count, offset: 0 }),
    'result.statistics': ({ user, params }) => results.statistics(user.ownerId, params.projectId),
    'result.get': ({ user, params }) => results.get(user.ownerId, params.id),
    'result.create': ({ user, body, language, storeIdempotentResponse }) =>
      results.save(user.ownerId, body, language, storeIdempotentResponse),
    'result.update': ({ user, params, body, language }) => results.update(user.ownerId, params.id, body, language),
    'result.fromExecution': ({ user, params }) => results.fromExecution(user.ownerId, params.pipelineExecutionId),
    'result.remove': ({ user, params }) => results.remove(user.ownerId, params.id),
  };
}

function filterOf({ q, tags, status, type, from, to, triggerId }: z.output<typeof resultSearch>): ResultFilter {
  return {
    text: q,
    status,
    type,
    triggerId,
    tags: tags?.split(',').flatMap((tag) => tag.trim() || []),
    from: from === undefined ? undefined : new Date(startOf(from)),
    before: to === undefined ? undefined : new Date(endOf(to)),
  };
}
