import { useEffect, useState } from 'react';
import { failed } from '../../../model/problem.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../panels.tsx';
import { useWorkspaceContext } from '../workspace-context.ts';
import { signInReturn } from './sign-in-return.ts';

/** Ends a sign-in to a tool server that has led back to this page, once, and shows the server. G3.28 */
export function useSignInEnd(): void {
  const dispatch = useDispatch();
  const { show } = usePanels();
  const { readOnly } = useWorkspaceContext();
  const isReady = useWorkspace(({ status }) => status === 'ready');
  const [returned, setReturned] = useState(() => (readOnly ? null : signInReturn(location.search)));

  useEffect(() => {
    if (!returned || !isReady) return;
    setReturned(null);
    // The code is of no use in the history of the browser.
    history.replaceState(history.state, '', location.pathname);
    const { projectId, serverId, end } = returned;
    const finish = async () => {
      const outcome = end ? await dispatch({ type: 'tools.endSignIn', projectId, serverId, end }) : failed('tools.signInRefused');
      // What it finds is shown with the server.
      if (outcome.ok) await dispatch({ type: 'tools.test', serverId });
      show({ window: { kind: 'tools', serverId, problem: outcome.ok ? null : outcome.error } });
    };
    void finish();
  }, [returned, isReady, dispatch, show]);
}
