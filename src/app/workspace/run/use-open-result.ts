import { useCallback } from 'react';
import type { StepRun } from '../../../../contract/executions/execution.ts';
import { cardViews, isDone } from '../../../model/card-view.ts';
import { resultMessageOf } from '../../../model/console/console-pages.ts';
import { useStore } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../frame/panels.tsx';
import { useWorkspaceContext } from '../frame/workspace-context.ts';

/** Returns the function that shows the result of a step in the console: its message, or all steps where that is no longer kept. */
export function useShowResult(): (step: StepRun | undefined) => void {
  const store = useStore();
  const { show } = usePanels();
  return useCallback(
    (step) => {
      const message = step && resultMessageOf(store.getState().console, step.stepId);
      show(message ? { console: 'open', tab: 'communication', messageId: message.id } : { console: 'open', tab: 'summary' });
    },
    [store, show],
  );
}

/** Returns the function that opens the result of a card. On a phone, where a touch anywhere on the card asks for it, only that of an ended run. */
export function useOpenResult(): (nodeId: string) => void {
  const store = useStore();
  const { mobile } = useWorkspaceContext();
  const showResult = useShowResult();
  return useCallback(
    (nodeId) => {
      const { run } = store.getState();
      const step = cardViews(run)[nodeId]?.step;
      if (step && isDone(run, nodeId) && (!mobile || run.outcome !== null)) showResult(step);
    },
    [store, mobile, showResult],
  );
}
