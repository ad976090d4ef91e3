import type { Thought } from '../../../contract/executions/thought.ts';
import type { ServerMessage } from '../../../contract/realtime.ts';
import { insertion, type SqlFragment } from '../../platform/database/statement.ts';
import { storableText } from '../../platform/database/storable-text.ts';
import type { ThoughtRow } from './repository.ts';
import { agentThoughts } from './tables.ts';

export type ThoughtMessage = Extract<ServerMessage, { type: 'agent_thought' }>;

/**
 * Returns SQL that stores a thought when `changed` has a row, as part of the statement that ends the work: both are stored or
 * neither. Publish it with `thoughtMessage` afterwards.
 */
export function recordThought(thought: ThoughtRow): SqlFragment {
  const row = { ...thought, content: storable(thought.content) };
  return (source, place) => insertion(agentThoughts, row, { source, place });
}

/** Returns the bus message about a stored thought. */
export function thoughtMessage(thought: ThoughtRow): ThoughtMessage {
  const { id: thoughtId, agentId, projectId, executionId, stepId, content } = thought;
  return { type: 'agent_thought', agentId, content: storable(content), partial: false, projectId, executionId, stepId, thoughtId };
}

export function toThought({ userId: _, createdAt, ...row }: ThoughtRow): Thought {
  const at = createdAt.toISOString();
  return { ...row, createdAt: at, updatedAt: at };
}

/** Removes NUL characters, which models may write and PostgreSQL refuses. */
function storable(text: string): string {
  return storableText(text);
}
