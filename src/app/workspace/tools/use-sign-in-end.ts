import { useEffect, useState } from 'react';
import { failed } from '../../../model/problem.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../panels.tsx';
import { useWorkspaceContext } from '../workspace-context.ts';
import { signInReturn } from './sign-in-return.ts';

/** Ends a sign-in to a tool server that has led back to its project, once, and shows the server. G3.28 */
export function useSignInEnd(): void {
  const dispatch = useDispatch();
  const { show } = usePanels();
  const { readOnly } = useWorkspaceContext();
  const isReady = useWorkspace(({ status }) => status === 'ready');
  const [returned, setReturned] = useState(() => (readOnly ? null : signInReturn(location.search)));

  useEffect(() => {
    if (!returned || !isReady) return;
    setReturned(null);
    const { projectId, serverId, end } = returned;
    const address = location.href;
    const finish = async () => {
      const ended = end ? await dispatch({ type: 'tools.endSignIn', projectId, serverId, end }) : failed('tools.signInRefused');
      // Until here a reload begins again. From now on the code is of no use, and the project stays.
      if (location.href === address) history.replaceState(history.state, '', `${location.pathname}?projectId=${projectId}`);
      // What it finds is shown with the server.
      const tested = ended.ok ? await dispatch({ type: 'tools.test', serverId }) : ended;
      show({ window: { kind: 'tools', serverId, problem: tested.ok ? null : tested.error } });
    };
    void finish();
  }, [returned, isReady, dispatch, show]);
}
