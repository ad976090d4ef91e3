import type { ExecutionFiles } from '../../../../../contract/file.ts';
import { useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import { type Reading, useReading } from '../../lists/use-reading.ts';
import { runFigures } from '../../run/run-figures.ts';
import { useShownRun } from '../../run/use-shown-run.ts';

/** Loads the files of the shown run, again after each step. */
export function useExecutionFiles(): { reading: Reading<ExecutionFiles>; executionId: string | null } {
  const executionId = useWorkspace((state) => state.run.execution?.id ?? null);
  const { done } = runFigures(useShownRun());
  const reading = useReading('listFiles', [executionId ?? ''], executionId && `${executionId} ${done}`, executionId);
  return { reading, executionId };
}
