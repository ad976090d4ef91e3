import type { Handlers } from '../../http/call.ts';
import type { ApiKeys } from './service.ts';

/** The public functions of the module of API keys. */
export { ApiKeys } from './service.ts';

export function apiKeyHandlers(keys: ApiKeys): Pick<Handlers, Extract<keyof Handlers, `apiKey.${string}`>> {
  return {
    'apiKey.list': ({ user }) => keys.list(user.ownerId),
    'apiKey.runs': ({ user, params }) => keys.runs(user.ownerId, params.id),
    'apiKey.create': ({ user, body, language }) => keys.create(user.ownerId, body, user.language ?? language),
    'apiKey.revoke': ({ user, params }) => keys.revoke(user.ownerId, params.id),
  };
}
