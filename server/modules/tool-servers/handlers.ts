import { type Handlers, paged } from '../../http/call.ts';
import type { ToolServers } from './service.ts';

export function toolServerHandlers(servers: ToolServers): Pick<Handlers, Extract<keyof Handlers, `toolServer.${string}`>> {
  return {
    'toolServer.list': ({ user, params, language }) => servers.list(user.id, params.id, language),
    'toolServer.create': ({ user, params, body, language, storeIdempotentResponse }) =>
      servers.create(user.id, params.id, body, language, storeIdempotentResponse),
    'toolServer.update': ({ user, params, body, language }) => servers.update(user.id, params.id, params.serverId, body, language),
    'toolServer.remove': ({ user, params }) => servers.remove(user.id, params.id, params.serverId),
    'toolServer.test': ({ user, params, language, signal }) => servers.test(user.id, params.id, params.serverId, language, signal),
    'toolServer.signIn': ({ user, params, language }) => servers.signIns.begin(user.id, params.id, params.serverId, language),
    'toolServer.endSignIn': ({ user, params, body, language }) => servers.signIns.end(user.id, params.id, params.serverId, body, language),
    'toolServer.tools': ({ user, params, query }) => paged(servers.tools(user.id, params.id, query)),
    'toolServer.setPolicy': ({ user, params, body }) => servers.setPolicy(user.id, params.id, params.toolId, body.policy),
    'toolServer.accept': ({ user, params, body }) => servers.accept(user.id, params.id, params.toolId, body.hash),
    'toolServer.agentTools': ({ user, params }) => servers.agentTools(user.id, params.id, params.agentId),
    'toolServer.putAgentTools': ({ user, params, body }) => servers.putAgentTools(user.id, params.id, params.agentId, body.toolIds),
  };
}
