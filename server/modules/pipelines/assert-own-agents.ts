import { ApiError } from '../../http/api-error.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { AgentService } from '../agents/index.ts';

/** Throws `not_found` when a step names an agent that the user does not own. */
export async function assertOwnAgents(
  agents: Pick<AgentService, 'statusesOf'>,
  userId: OwnerId,
  steps: readonly { agentId: string }[],
): Promise<void> {
  const known = await agents.statusesOf(userId, [...new Set(steps.map(({ agentId }) => agentId))]);
  const owned = new Set(known.map(({ id }) => id));
  if (steps.some(({ agentId }) => !owned.has(agentId))) throw new ApiError('not_found');
}
