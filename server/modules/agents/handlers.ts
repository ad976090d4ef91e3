import { type Handlers, paged } from '../../http/call.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AccountStorage } from '../storage/index.ts';
import { createMany, removeUnused } from './many-agents.ts';
import { createRelationships } from './relationships.ts';
import type { AgentService } from './service.ts';
import { type AgentWork, statisticsOf } from './work-counts.ts';

type AgentHandlersDeps = {
  db: Db;
  newId: () => string;
  agents: AgentService;
  work: AgentWork;
  storage: Pick<AccountStorage, 'storing' | 'freed'>;
  /** Called after an agent has chosen models of these connections. */
  onModelsChosen: (userId: string, connectionIds: readonly (string | undefined)[]) => Promise<void>;
};

type AgentHandlers = Pick<Handlers, Extract<keyof Handlers, `agent.${string}`>>;

export function agentHandlers({ db, newId, agents, work, storage, onModelsChosen }: AgentHandlersDeps): AgentHandlers {
  const relationships = createRelationships({ db, newId, agents, work });
  const listed = (...asked: Parameters<AgentService['list']>) => paged(agents.list(...asked));
  const configure = async (...[userId, ...change]: Parameters<AgentService['putApiConfiguration']>) => {
    const configuration = await agents.putApiConfiguration(userId, ...change);
    await onModelsChosen(userId, [configuration.connectionId ?? undefined, configuration.fallback?.connectionId]);
    return configuration;
  };
  return {
    'agent.list': ({ user, query }) => listed(user.id, query),
    'agent.byRole': ({ user, params, query }) => listed(user.id, query, { role: params.role }),
    'agent.bySpecialization': ({ user, params, query }) => listed(user.id, query, { specialization: params.specialization }),
    'agent.byStatus': ({ user, params, query }) => listed(user.id, query, { status: params.status }),
    'agent.withContextAccess': ({ user, query }) => listed(user.id, query, { minAccessLevel: query.minAccessLevel }),
    'agent.get': ({ user, params }) => agents.get(user.id, params.id),
    'agent.create': ({ user, body, storeIdempotentResponse }) => agents.create(user.id, body, storeIdempotentResponse),
    'agent.createMany': ({ user, body, storeIdempotentResponse }) =>
      createMany({ db, agents, storage }, user.id, { given: body.agents, storeIdempotentResponse }),
    'agent.removeUnused': async ({ user, body, storeIdempotentResponse }) => {
      const removed = await removeUnused({ db, work }, user.id, { ...body, storeIdempotentResponse });
      storage.freed(user.id);
      return removed;
    },
    'agent.update': ({ user, params, body }) => agents.update(user.id, params.id, body),
    'agent.changes': ({ user, params, query }) => agents.changes(user.id, params.id, query),
    'agent.setStatus': ({ user, params, body }) => agents.setStatus(user.id, params.id, body.status),
    'agent.remove': ({ user, params }) => agents.remove(user.id, params.id, work),
    'agent.statistics': async ({ user, params }) => {
      await agents.get(user.id, params.id);
      return statisticsOf(await work.count(user.id, params.id));
    },
    'agent.apiConfiguration': ({ user, params }) => agents.apiConfiguration(user.id, params.id),
    'agent.putApiConfiguration': ({ user, params, body, language }) => configure(user.id, params.id, body, language),
    'agent.setModels': async ({ user, body }) => {
      const set = await agents.setModels(user.id, body);
      await onModelsChosen(user.id, [body.connectionId ?? undefined]);
      return set;
    },
    'agent.postApiConfiguration': ({ user, body: { agentId, ...configuration }, language, storeIdempotentResponse }) =>
      configure(user.id, agentId, configuration, language, storeIdempotentResponse),
    'agent.relationships': ({ user, params, query }) => paged(relationships.list(user.id, params.id, query)),
    'agent.relate': ({ user, query, language, storeIdempotentResponse }) =>
      relationships.add(user.id, query, language, storeIdempotentResponse),
    'agent.unrelate': ({ user, params }) => relationships.remove(user.id, params.id),
    'agent.availableForDelegation': ({ user, params, query }) => paged(relationships.availableTo(user.id, params.id, query)),
    'agent.canDelegate': ({ user, query, language }) => relationships.judge(user.id, query.sourceAgentId, query.targetAgentId, language),
  };
}
