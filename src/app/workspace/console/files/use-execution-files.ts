import type { ExecutionFiles } from '../../../../../contract/executions/file.ts';
import { useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import { type RemoteData, useRemoteData } from '../../lists/use-remote-data.ts';
import { runFigures } from '../../run/run-figures.ts';
import { useShownRun } from '../../run/use-shown-run.ts';

/** Loads the files of the shown run, again after each step. */
export function useExecutionFiles(): { remote: RemoteData<ExecutionFiles>; executionId: string | null } {
  const executionId = useWorkspace((state) => state.run.execution?.id ?? null);
  const { done } = runFigures(useShownRun());
  const remote = useRemoteData('listFiles', [executionId ?? ''], executionId && `${executionId} ${done}`, executionId);
  return { remote, executionId };
}
