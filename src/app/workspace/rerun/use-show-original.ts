import type { StepRun } from '../../../../contract/executions/execution.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../frame/panels.tsx';

/** For a kept step: opens the run that wrote its result in the history, or null once that run is not in it. Undefined for other steps. */
export function useShowOriginal(step: StepRun | null | undefined): (() => void) | null | undefined {
  const { show } = usePanels();
  const executionId = step?.reusedFrom?.executionId;
  const id = useWorkspace(({ history }) =>
    executionId === undefined ? null : (history.items.find((item) => item.pipelineExecutionId === executionId)?.id ?? null),
  );
  if (executionId === undefined) return undefined;
  return id === null ? null : () => show({ history: true, historyItemId: id });
}
