import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useNow } from './use-now.ts';

/** Returns the time at which the run is shown (ms since the epoch): the moment of a replay, else the present, as `useNow` does. */
export function useRunNow(ticking: boolean, since: string | null = null): number {
  const moment = useWorkspace(({ run }) => run.moment);
  const now = useNow(ticking && moment === undefined, since);
  return moment ?? now;
}
