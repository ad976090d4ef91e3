import { useCallback, useEffect } from 'react';
import type { SaveState } from '../../../model/workspace-state.ts';
import { useStore } from '../../../workers/bridge/use-workspace.ts';
import { type LeaveTarget, usePanels } from '../panels.tsx';
import { useWorkspaceContext } from '../workspace-context.ts';

/**
 * Leaves the project, and asks first where edits cannot reach the server before: who signs out leaves them in this browser, and
 * where it keeps none they would be lost.
 */
export function useLeaveProject(): (to: LeaveTarget) => void {
  const store = useStore();
  const { account } = useWorkspaceContext();
  const { show } = usePanels();
  return useCallback(
    (to) => {
      const { save, project } = store.getState();
      if (project !== null && isStuck(save) && (to === 'signOut' || hasEditsInMemoryOnly(save))) show({ window: { kind: 'leave', to } });
      else if (to === 'signOut') account?.signOut();
      else account?.openProject(to.projectId);
    },
    [store, account, show],
  );
}

/** Has the browser ask before the page goes, while it alone has edits. */
export function useWarningBeforeUnload(): void {
  const store = useStore();
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (hasEditsInMemoryOnly(store.getState().save)) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [store]);
}

/** Whether edits neither are on the server nor will be in a moment. */
function isStuck(save: SaveState): boolean {
  return save.status === 'offline' || save.status === 'conflict' || ('error' in save && save.status !== 'failed');
}

/** Whether edits are on this page alone. */
export function hasEditsInMemoryOnly(save: SaveState): boolean {
  return 'unkept' in save;
}
