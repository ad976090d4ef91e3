import type { Agent } from '../../../contract/agent.ts';
import {
  type AgentRelationship,
  agentRelationship,
  type DelegationAnswer,
  type RelationshipCreation,
} from '../../../contract/agent-relationship.ts';
import { agentStatuses } from '../../../contract/agent-statuses.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Language, StoreIdempotentResponse } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import type { Db } from '../../platform/database/database.ts';
import { viewOf } from '../../platform/database/view-of.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { checkDelegation, delegatesOf } from './delegation.ts';
import { relationshipRepository } from './relationship-repository.ts';
import { agentRepository } from './repository.ts';
import type { AgentService } from './service.ts';
import type { AgentWork } from './work-counts.ts';

type RelationshipsDeps = {
  db: Db;
  newId: () => string;
  agents: Pick<AgentService, 'get' | 'list'>;
  work: Pick<AgentWork, 'atWork'>;
};

type Page = { limit: number; offset: number };

/** The relationships between a user's agents, and the right to delegate. A foreign agent is answered like a missing one. */
export function createRelationships({ db, newId, agents, work }: RelationshipsDeps) {
  const repository = relationshipRepository(db);

  /** Returns the agents that an agent may delegate to by its relationships alone. */
  const delegatesNow = async (userId: OwnerId, agentId: string) => delegatesOf(agentId, await repository.list(userId, agentId));

  return {
    /** Throws `not_found`. */
    async list(userId: OwnerId, agentId: string, page: Page): Promise<{ items: AgentRelationship[]; total: number }> {
      await agents.get(userId, agentId);
      const [rows, total] = await Promise.all([repository.list(userId, agentId, page), repository.count(userId, agentId)]);
      return { items: rows.map((row) => relationshipOf(row)), total };
    },

    /** Throws `bad_request` for an agent and itself, `not_found`, and `conflict` when the relationship exists already. */
    async add(
      userId: OwnerId,
      given: RelationshipCreation,
      language: Language,
      storeIdempotentResponse: StoreIdempotentResponse,
    ): Promise<AgentRelationship> {
      const refusal = (path: string, text: 'field.self_relationship' | 'field.known_relationship') => ({
        errors: [{ path, message: translate(language, text) }],
      });
      if (given.sourceAgentId === given.targetAgentId)
        throw new ApiError('bad_request', refusal('targetAgentId', 'field.self_relationship'));
      return db.transaction(async (tx) => {
        const held = await agentRepository(tx).holdAll(userId, [given.sourceAgentId, given.targetAgentId]);
        if (held.length < 2) throw new ApiError('not_found');
        const row = await relationshipRepository(tx).add({ id: newId(), userId, ...given });
        if (!row) throw new ApiError('conflict', refusal('relationshipType', 'field.known_relationship'));
        const relationship = relationshipOf(row);
        await storeIdempotentResponse(tx, relationship);
        return relationship;
      });
    },

    /** Throws `not_found`. */
    async remove(userId: OwnerId, id: string): Promise<void> {
      if (!(await repository.remove(userId, id))) throw new ApiError('not_found');
    },

    /** Returns the agents for which `judge` answers yes. Throws `not_found`. */
    async availableTo(userId: OwnerId, agentId: string, page: Page): Promise<{ items: Agent[]; total: number }> {
      const source = await agents.get(userId, agentId);
      if (source.status === agentStatuses.inactive) return { items: [], total: 0 };
      const related = [...(await delegatesNow(userId, agentId)).keys()];
      const atWork = new Set(await work.atWork(userId, related));
      return agents.list(userId, page, { ids: related.filter((id) => !atWork.has(id)), status: agentStatuses.active });
    },

    /** Throws `not_found` when either agent is missing. */
    async judge(userId: OwnerId, sourceId: string, targetId: string, language: Language): Promise<DelegationAnswer> {
      const [source, target] = await Promise.all([agents.get(userId, sourceId), agents.get(userId, targetId)]);
      const [delegates, atWork] = await Promise.all([delegatesNow(userId, sourceId), work.atWork(userId, [targetId])]);
      const judged = checkDelegation({ source, target, tie: delegates.get(targetId), targetIsAtWork: atWork.includes(targetId) });
      return { ...judged, message: translate(language, `delegation.${judged.reason}`) };
    },
  };
}

const relationshipOf = viewOf(agentRelationship);
