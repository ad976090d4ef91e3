import { useEffect } from 'react';
import { useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import { useRemoteData } from '../../lists/use-remote-data.ts';

/** How often a runner of this machine is looked for while none is there (ms). */
const lookMs = 3_000;

/** The runner of the server; looks for one of this machine while the user may connect it and none answers. */
export function useRunner() {
  const projectId = useWorkspace(({ project }) => project?.id ?? null);
  const { value, again } = useRemoteData('readRunner', [], projectId);
  const isAwaited = value?.mayConnect === true && value.local === null;
  useEffect(() => {
    if (!isAwaited) return;
    const timer = setInterval(() => document.visibilityState === 'visible' && again(), lookMs);
    return () => clearInterval(timer);
  }, [isAwaited, again]);
  return { runner: value, again };
}
