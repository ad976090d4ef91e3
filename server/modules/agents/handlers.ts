import { type Handlers, paged } from '../../http/call.ts';
import type { Db } from '../../platform/database/database.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
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
  onModelsChosen: (userId: OwnerId, connectionIds: readonly (string | undefined)[]) => Promise<void>;
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
    'agent.list': ({ user, query }) => listed(user.ownerId, query),
    'agent.byRole': ({ user, params, query }) => listed(user.ownerId, query, { role: params.role }),
    'agent.bySpecialization': ({ user, params, query }) => listed(user.ownerId, query, { specialization: params.specialization }),
    'agent.byStatus': ({ user, params, query }) => listed(user.ownerId, query, { status: params.status }),
    'agent.withContextAccess': ({ user, query }) => listed(user.ownerId, query, { minAccessLevel: query.minAccessLevel }),
    'agent.get': ({ user, params }) => agents.get(user.ownerId, params.id),
    'agent.create': ({ user, body, storeIdempotentResponse }) => agents.create(user.ownerId, body, storeIdempotentResponse),
    'agent.createMany': ({ user, body, storeIdempotentResponse }) =>
      createMany({ db, agents, storage }, user.ownerId, { given: body.agents, storeIdempotentResponse }),
    'agent.removeUnused': async ({ user, body, storeIdempotentResponse }) => {
      const removed = await removeUnused({ db, work }, user.ownerId, { ...body, storeIdempotentResponse });
      storage.freed(user.ownerId);
      return removed;
    },
    'agent.update': ({ user, params, body }) => agents.update(user.ownerId, params.id, body),
    'agent.changes': ({ user, params, query }) => agents.changes(user.ownerId, params.id, query),
    'agent.setStatus': ({ user, params, body }) => agents.setStatus(user.ownerId, params.id, body.status),
    'agent.remove': ({ user, params }) => agents.remove(user.ownerId, params.id, work),
    'agent.statistics': async ({ user, params }) => {
      await agents.get(user.ownerId, params.id);
      return statisticsOf(await work.count(user.ownerId, params.id));
    },
    'agent.apiConfiguration': ({ user, params }) => agents.apiConfiguration(user.ownerId, params.id),
    'agent.putApiConfiguration': ({ user, params, body, language }) => configure(user.ownerId, params.id, body, language),
    'agent.setModels': async ({ user, body }) => {
      const set = await agents.setModels(user.ownerId, body);
      await onModelsChosen(user.ownerId, [body.connectionId ?? undefined]);
      return set;
    },
    'agent.postApiConfiguration': ({ user, body: { agentId, ...configuration }, language, storeIdempotentResponse }) =>
      configure(user.ownerId, agentId, configuration, language, storeIdempotentResponse),
    'agent.relationships': ({ user, params, query }) => paged(relationships.list(user.ownerId, params.id, query)),
    'agent.relate': ({ user, query, language, storeIdempotentResponse }) =>
      relationships.add(user.ownerId, query, language, storeIdempotentResponse),
    'agent.unrelate': ({ user, params }) => relationships.remove(user.ownerId, params.id),
    'agent.availableForDelegation': ({ user, params, query }) => paged(relationships.availableTo(user.ownerId, params.id, query)),
    'agent.canDelegate': ({ user, query, language }) =>
      relationships.judge(user.ownerId, query.sourceAgentId, query.targetAgentId, language),
  };
}
