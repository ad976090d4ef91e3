import type { StepRun } from '../../../../contract/executions/execution.ts';
import type { RerunTarget } from '../frame/panels.tsx';

export type RerunStep = NonNullable<RerunTarget['step']>;

/** A run of a step as the target of a fork. */
export function rerunStepOf({ stepId, name, agentId, round = 0, item = 0, result }: StepRun): RerunStep {
  return { stepId, name, agentId, round, item, result: result ?? '' };
}
