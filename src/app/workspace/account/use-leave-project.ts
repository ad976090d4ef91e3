import { useCallback, useEffect } from 'react';
import type { SaveState } from '../../../model/workspace-state.ts';
import { useStore } from '../../../workers/bridge/use-workspace.ts';
import { type LeaveTarget, usePanels } from '../frame/panels.tsx';
import { useWorkspaceContext } from '../frame/workspace-context.ts';

/**
 * Returns the function that leaves the project. It asks first if edits cannot reach the server: after a sign-out they stay in this
 * browser, or are lost if its storage is denied.
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

/** Makes the browser ask before the page closes while edits are only in memory. */
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

/** Returns whether there are edits that are not on the server and cannot be sent now. */
function isStuck(save: SaveState): boolean {
  return save.status === 'offline' || save.status === 'conflict' || ('error' in save && save.status !== 'failed');
}

/** Returns whether there are edits only in this page's memory. */
export function hasEditsInMemoryOnly(save: SaveState): boolean {
  return 'unkept' in save;
}
