import type { Agent } from '../../../../contract/agent.ts';
import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';
import { isPersonCard } from '../../../../rules/card.ts';
import { planPipeline } from '../plan/pipeline-plan.ts';
import type { RunStarters } from './starters-of.ts';

/** Returns the ids of the agents that a run would call, in order; none for a canvas that cannot run. A person is no agent. */
export function teamOf(document: CanvasDocument, agents: readonly Agent[], { dialog, starts }: RunStarters): string[] {
  const planned = planPipeline(document, agents, dialog, { starts });
  if (!planned.ok) return [];
  const called = planned.plan.steps.filter(({ nodeId }) => !isPersonCard(document.nodes[nodeId] as CanvasNode));
  return [...new Set(called.map(({ agentId }) => agentId))].toSorted();
}
