import { useCallback } from 'react';
import { useStore } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../panels.tsx';
import { useSurroundings } from '../workspace-context.ts';

/** Signs out, and asks first where edits cannot reach the server before: they stay in this browser. */
export function useSignOut(): () => void {
  const store = useStore();
  const { account } = useSurroundings();
  const { show } = usePanels();
  return useCallback(() => {
    const { save, project } = store.getState();
    const stuck = project !== null && (save.status === 'offline' || save.status === 'conflict');
    if (stuck) show({ window: { kind: 'signOut' } });
    else account?.signOut();
  }, [store, account, show]);
}
