import { z } from 'zod';
import { entity, id } from './common.ts';

/** The direction of delegation: source to target, target to source, both. */
export const relationshipTypes = ['delegates-to', 'reports-to', 'collaborates-with'] as const;

export const agentRelationship = entity.extend({
  sourceAgentId: id,
  targetAgentId: id,
  relationshipType: z.enum(relationshipTypes),
  description: z.string(),
});
export type AgentRelationship = z.infer<typeof agentRelationship>;

export const relationshipCreation = z.object({
  sourceAgentId: id,
  targetAgentId: id,
  relationshipType: z.string().trim().toLowerCase().pipe(z.enum(relationshipTypes)),
  description: z.string().trim().max(1_000).default(''),
});
export type RelationshipCreation = z.output<typeof relationshipCreation>;

export const delegationQuestion = z.object({ sourceAgentId: id, targetAgentId: id });

/** Reasons why an agent may delegate to another one. */
export const delegationTies = ['delegates_to', 'reports_to', 'collaborates_with'] as const;
/** Reasons why it may not. */
export const delegationObstacles = [
  'same_agent',
  'not_related',
  'source_inactive',
  'target_inactive',
  'target_busy',
  'target_at_work',
] as const;

export const delegationAnswer = z.object({
  canDelegate: z.boolean(),
  reason: z.enum([...delegationTies, ...delegationObstacles]),
  /** The reason as a sentence, in the language of `Accept-Language`. */
  message: z.string(),
});
export type DelegationAnswer = z.infer<typeof delegationAnswer>;
