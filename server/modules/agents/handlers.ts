import { type Handlers, paged } from '../../http/call.ts';
import type { AgentService } from './service.ts';

type AgentHandlers = Pick<
  Handlers,
  'agent.list' | 'agent.get' | 'agent.create' | 'agent.update' | 'agent.apiConfiguration' | 'agent.putApiConfiguration'
>;

export function agentHandlers(agents: AgentService): AgentHandlers {
  return {
    'agent.list': async ({ user, query }) => {
      const { items, total } = await agents.list(user.id, query);
      return paged(items, total);
    },
    'agent.get': ({ user, params }) => agents.get(user.id, params.id),
    'agent.create': ({ user, body, keepAnswer }) => agents.create(user.id, body, keepAnswer),
    'agent.update': ({ user, params, body }) => agents.update(user.id, params.id, body),
    'agent.apiConfiguration': ({ user, params }) => agents.apiConfiguration(user.id, params.id),
    'agent.putApiConfiguration': ({ user, params, body, language }) => agents.putApiConfiguration(user.id, params.id, body, language),
  };
}
