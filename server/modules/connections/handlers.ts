import type { Handlers } from '../../http/call.ts';
import type { ModelConnections } from './service.ts';

export function connectionHandlers(connections: ModelConnections): Pick<Handlers, Extract<keyof Handlers, `modelConnection.${string}`>> {
  return {
    'modelConnection.list': ({ user, query, language }) => connections.list(user.ownerId, query.projectId ?? null, language),
    'modelConnection.local': () => connections.local(),
    'modelConnection.known': async () => connections.known(),
    'modelConnection.create': ({ user, body, language, storeIdempotentResponse }) =>
      connections.create(user.ownerId, body, language, storeIdempotentResponse),
    'modelConnection.update': ({ user, params, body, language }) => connections.update(user.ownerId, params.id, body, language),
    'modelConnection.remove': ({ user, params, query }) => connections.remove(user.ownerId, params.id, query.evenIfUsed === 'true'),
    'modelConnection.models': ({ user, params, query, language }) =>
      connections.models(user.ownerId, params.id, query.query ?? '', language),
    'modelConnection.readModels': ({ user, params, language }) => connections.readModels(user.ownerId, params.id, language),
    'modelConnection.test': ({ user, params, body, language, signal }) => connections.test(user, params.id, body, language, signal),
    'modelConnection.use': ({ user, params, body }) => connections.use(user.ownerId, params.id, body),
  };
}
