import { ObservableValue } from '../../../state/observable.ts';
import { useObserved } from '../../../state/use-observed.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';

type OfTrigger = { projectId: string; id: string; name: string };

/** The trigger whose runs alone the history shows; null for all. */
export const historyTrigger = new ObservableValue<OfTrigger | null>(null);

/** Returns the trigger, if it is one of the open project. */
export function useHistoryTrigger(): OfTrigger | null {
  const projectId = useWorkspace(({ project }) => project?.id);
  const chosen = useObserved(historyTrigger, historyTrigger.get);
  return chosen?.projectId === projectId ? chosen : null;
}
