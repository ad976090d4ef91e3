import { useCallback } from 'react';
import { resultMessageOf } from '../../../model/console/console-pages.ts';
import { useStore } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../panels.tsx';
import { useWorkspaceContext } from '../workspace-context.ts';

/** Returns the function that opens the result of a card of an ended run. On a phone, where a card has no other use then, one touch does so. */
export function useOpenResult(): (nodeId: string) => void {
  const store = useStore();
  const { mobile } = useWorkspaceContext();
  const { show } = usePanels();
  return useCallback(
    (nodeId) => {
      const { run, console } = store.getState();
      if (!mobile || run.outcome === null) return;
      const step = run.steps.findLast((one) => one.nodeId === nodeId && one.status === 'completed');
      const message = step && resultMessageOf(console, step.stepId);
      if (message) show({ console: 'open', tab: 'communication', messageId: message.id });
    },
    [store, mobile, show],
  );
}
