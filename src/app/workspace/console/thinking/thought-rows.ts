import type { Agent } from '../../../../../contract/agent.ts';
import type { StepRun } from '../../../../../contract/executions/execution.ts';
import type { Thought } from '../../../../../contract/executions/thought.ts';

/** A thought with its agent. */
export type ThoughtRow = { thought: Thought; title: string; role: string; step: StepRun | null };

/** Returns the thoughts of a run and those published outside of runs, oldest first. */
export function thoughtRows(
  thoughts: readonly Thought[],
  executionId: string | null,
  steps: readonly StepRun[],
  agents: Readonly<Record<string, Agent>>,
): ThoughtRow[] {
  return thoughts
    .filter((thought) => thought.executionId === null || thought.executionId === executionId)
    .map((thought) => {
      const step = steps.find(({ stepId }) => stepId === thought.stepId) ?? null;
      const agent = agents[thought.agentId];
      return { thought, title: step?.name ?? agent?.title ?? '', role: step?.role ?? agent?.role ?? '', step };
    })
    .sort((a, b) => (a.thought.createdAt < b.thought.createdAt ? -1 : 1));
}
