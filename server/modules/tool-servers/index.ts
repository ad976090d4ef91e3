/** The public interface of the module of tool servers: which tools of other servers agents may call, and how they are called. */
export { createAccountTokens } from './account-tokens.ts';
export { createServerConnections } from './connect-servers.ts';
export { toolServerHandlers } from './handlers.ts';
export { ToolServerRepository } from './repository.ts';
export { createServerTools } from './server-tools.ts';
export { ToolServers } from './service.ts';
