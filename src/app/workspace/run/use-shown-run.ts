import type { RunState } from '../../../model/workspace-state.ts';
import type { WorkspaceStore } from '../../../model/workspace-store.ts';
import { useObserved } from '../../../state/use-observed.ts';
import { pageClock } from '../../../ui/page-clock.ts';
import { useStore } from '../../../workers/bridge/use-workspace.ts';
import { ShownRun } from './shown-run.ts';

/** One for all panels of a workspace, so that they show the same run. */
const known = new WeakMap<WorkspaceStore, ShownRun>();

/** The run as panels show it: many changes of the steps of a long run are shown together. */
export function useShownRun(): RunState {
  const store = useStore();
  let shown = known.get(store);
  if (!shown) {
    shown = new ShownRun(store, pageClock);
    known.set(store, shown);
  }
  return useObserved(shown, shown.get);
}
