import type { ExecutionFiles } from '../../../../../contract/file.ts';
import { useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import { type Reading, useReading } from '../../lists/use-reading.ts';

/** The files of the run that is shown, read anew whenever a step has ended. */
export function useExecutionFiles(): { reading: Reading<ExecutionFiles>; executionId: string | null } {
  const executionId = useWorkspace((state) => state.run.execution?.id ?? null);
  const ended = useWorkspace((state) => state.run.steps.filter((step) => step.status === 'completed').length);
  const reading = useReading('listFiles', [executionId ?? ''], executionId && `${executionId} ${ended}`, executionId);
  return { reading, executionId };
}
