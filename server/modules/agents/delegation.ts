import type { Agent } from '../../../contract/agent.ts';
import type { AgentRelationship, DelegationAnswer, delegationObstacles, delegationTies } from '../../../contract/agent-relationship.ts';
import { agentStatuses } from '../../../contract/agent-statuses.ts';

type Tie = (typeof delegationTies)[number];
type Obstacle = (typeof delegationObstacles)[number];
type Ends = Pick<AgentRelationship, 'sourceAgentId' | 'targetAgentId' | 'relationshipType'>;
type AgentWithStatus = Pick<Agent, 'id' | 'status'>;

/** The agents that an agent may delegate to, with the relationship: `delegates-to`, `reports-to` or `collaborates-with`. */
export function delegatesOf(agentId: string, relationships: readonly Ends[]): Map<string, Tie> {
  const delegates = new Map<string, Tie>();
  for (const [tie, otherEnd] of ties) {
    for (const relationship of relationships) {
      const other = otherEnd(agentId, relationship);
      if (other !== null && !delegates.has(other)) delegates.set(other, tie);
    }
  }
  return delegates;
}

/** Whether one agent may hand work to another now. The giver may be busy; the receiver must be active and free. */
export function checkDelegation(asked: {
  source: AgentWithStatus;
  target: AgentWithStatus;
  tie: Tie | undefined;
  targetIsAtWork: boolean;
}): Pick<DelegationAnswer, 'canDelegate' | 'reason'> {
  const { source, target, tie, targetIsAtWork } = asked;
  if (source.id === target.id) return hindered('same_agent');
  if (tie === undefined) return hindered('not_related');
  if (source.status === agentStatuses.inactive) return hindered('source_inactive');
  if (target.status === agentStatuses.inactive) return hindered('target_inactive');
  if (target.status === agentStatuses.busy) return hindered('target_busy');
  return targetIsAtWork ? hindered('target_at_work') : { canDelegate: true, reason: tie };
}

function hindered(reason: Obstacle): Pick<DelegationAnswer, 'canDelegate' | 'reason'> {
  return { canDelegate: false, reason };
}

type OtherEnd = (agentId: string, relationship: Ends) => string | null;

/** The closest relationship first: it is named if several exist. */
const ties: readonly (readonly [Tie, OtherEnd])[] = [
  ['delegates_to', (id, it) => (it.relationshipType === 'delegates-to' && it.sourceAgentId === id ? it.targetAgentId : null)],
  ['reports_to', (id, it) => (it.relationshipType === 'reports-to' && it.targetAgentId === id ? it.sourceAgentId : null)],
  [
    'collaborates_with',
    (id, it) => {
      if (it.relationshipType !== 'collaborates-with') return null;
      return it.sourceAgentId === id ? it.targetAgentId : it.targetAgentId === id ? it.sourceAgentId : null;
    },
  ],
];
