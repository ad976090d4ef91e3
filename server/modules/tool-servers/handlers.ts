import { type Handlers, paged } from '../../http/call.ts';
import type { ToolServers } from './service.ts';

export function toolServerHandlers(servers: ToolServers): Pick<Handlers, Extract<keyof Handlers, `toolServer.${string}`>> {
  return {
    'toolServer.list': ({ user, params, language }) => servers.list(user.ownerId, params.id, language),
    'toolServer.create': ({ user, params, body, language, storeIdempotentResponse }) =>
      servers.create(user.ownerId, params.id, body, language, storeIdempotentResponse),
    'toolServer.update': ({ user, params, body, language }) => servers.update(user.ownerId, params.id, params.serverId, body, language),
    'toolServer.remove': ({ user, params }) => servers.remove(user.ownerId, params.id, params.serverId),
    'toolServer.test': ({ user, params, language, signal }) => servers.test(user.ownerId, params.id, params.serverId, language, signal),
    'toolServer.signIn': ({ user, params, language }) => servers.signIns.begin(user.ownerId, params.id, params.serverId, language),
    'toolServer.endSignIn': ({ user, params, body, language }) =>
      servers.signIns.end(user.ownerId, params.id, params.serverId, body, language),
    'toolServer.tools': ({ user, params, query }) => paged(servers.tools(user.ownerId, params.id, query)),
    'toolServer.setPolicy': ({ user, params, body }) => servers.setPolicy(user.ownerId, params.id, params.toolId, body.policy),
    'toolServer.accept': ({ user, params, body }) => servers.accept(user.ownerId, params.id, params.toolId, body.hash),
    'toolServer.agentTools': ({ user, params }) => servers.agentTools(user.ownerId, params.id, params.agentId),
    'toolServer.putAgentTools': ({ user, params, body }) => servers.putAgentTools(user.ownerId, params.id, params.agentId, body.toolIds),
  };
}
