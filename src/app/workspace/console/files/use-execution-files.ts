import type { ExecutionFiles } from '../../../../../contract/file.ts';
import { useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import { type Reading, useReading } from '../../lists/use-reading.ts';

/** Loads the files of the shown run, again after each step. */
export function useExecutionFiles(): { reading: Reading<ExecutionFiles>; executionId: string | null } {
  const executionId = useWorkspace((state) => state.run.execution?.id ?? null);
  const ended = useWorkspace((state) => state.run.steps.filter((step) => step.status === 'completed').length);
  const reading = useReading('listFiles', [executionId ?? ''], executionId && `${executionId} ${ended}`, executionId);
  return { reading, executionId };
}
