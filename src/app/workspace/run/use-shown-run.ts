import type { RunState } from '../../../model/workspace-state.ts';
import type { WorkspaceStore } from '../../../model/workspace-store.ts';
import { memoizeByKey } from '../../../state/memoize-by-key.ts';
import { useObserved } from '../../../state/use-observed.ts';
import { pageClock } from '../../../ui/page-clock.ts';
import { useStore } from '../../../workers/bridge/use-workspace.ts';
import { ShownRun } from './shown-run.ts';

/** One for all panels of a workspace, so that they show the same run. */
const shownRunOf = memoizeByKey((store: WorkspaceStore) => new ShownRun(store, pageClock));

/** The run as panels show it: many changes of the steps of a long run are shown together. */
export function useShownRun(): RunState {
  const shown = shownRunOf(useStore());
  return useObserved(shown, shown.get);
}

/** Its steps, read only if something shows them: React keeps what a component has read beyond the next change. */
export function useShownSteps(areShown: boolean): RunState['steps'] {
  const shown = shownRunOf(useStore());
  return useObserved(shown, () => (areShown ? shown.get().steps : noSteps));
}

const noSteps: RunState['steps'] = [];
