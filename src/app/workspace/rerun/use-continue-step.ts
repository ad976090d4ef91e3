import type { StepRun } from '../../../../contract/executions/execution.ts';
import { useDispatch } from '../../../workers/bridge/use-workspace.ts';

/** Returns how to go on with the cut text of a step: a fork that begins with it. Null for a step whose result is whole. */
export function useContinueStep(executionId: string, { stepId, round = 0, item = 0, marks }: StepRun): (() => void) | null {
  const dispatch = useDispatch();
  if (!marks?.includes('cut')) return null;
  const request = { from: { stepId, round, item }, continues: true };
  return () => void dispatch({ type: 'run.fork', executionId, request });
}
