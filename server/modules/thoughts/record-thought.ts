import { type SQL, sql } from 'drizzle-orm';
import type { ServerMessage } from '../../../contract/realtime.ts';
import type { Thought } from '../../../contract/thought.ts';
import type { ThoughtRow } from './repository.ts';
import { agentThoughts } from './tables.ts';

export type ThoughtMessage = Extract<ServerMessage, { type: 'agent_thought' }>;

/**
 * Writes a thought as a part of the statement that ends what it was thought for, when `changed` has a row: either both are stored or
 * neither. Tell it with `thoughtMessage` afterwards.
 */
export function recordThought(thought: ThoughtRow): (changed: SQL) => SQL {
  const { id, userId, agentId, projectId, executionId, stepId, content, createdAt } = thought;
  return (changed) => sql`INSERT INTO ${agentThoughts} (id, user_id, agent_id, project_id, execution_id, step_id, content, created_at)
    SELECT ${id}::uuid, ${userId}::uuid, ${agentId}::uuid, ${projectId}::uuid, ${executionId}::uuid, ${stepId}::uuid,
      ${storable(content)}::text, ${createdAt.toISOString()}::timestamptz FROM ${changed}`;
}

/** What the bus is told of a stored thought. */
export function thoughtMessage(thought: ThoughtRow): ThoughtMessage {
  const { id: thoughtId, agentId, projectId, executionId, stepId, content } = thought;
  return { type: 'agent_thought', agentId, content: storable(content), partial: false, projectId, executionId, stepId, thoughtId };
}

export function toThought({ userId: _, createdAt, ...row }: ThoughtRow): Thought {
  const at = createdAt.toISOString();
  return { ...row, createdAt: at, updatedAt: at };
}

/** PostgreSQL keeps no NUL characters, and models write anything. */
function storable(text: string): string {
  return text.replaceAll('\0', '');
}
