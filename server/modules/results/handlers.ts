import { type Handlers, paged } from '../../http/call.ts';
import type { Results } from './service.ts';

export function resultHandlers(results: Results): Pick<Handlers, 'result.list' | 'result.get' | 'result.create' | 'result.remove'> {
  return {
    'result.list': async ({ user, params, query }) => {
      const { items, total } = await results.list(user.id, params.projectId, query.limit, query.offset);
      return paged(items, total);
    },
    'result.get': ({ user, params }) => results.get(user.id, params.id),
    'result.create': ({ user, body, keepAnswer }) => results.save(user.id, body, keepAnswer),
    'result.remove': async ({ user, params }) => {
      await results.remove(user.id, params.id);
      return undefined;
    },
  };
}
