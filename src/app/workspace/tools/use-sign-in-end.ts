import { useEffect, useState } from 'react';
import { failed } from '../../../model/problem.ts';
import { useChange, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../frame/panels.tsx';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { signInReturn } from './sign-in-return.ts';

/** Ends a sign-in to a tool server that has led back to its project, once, and shows the server. G3.28 */
export function useSignInEnd(): void {
  const change = useChange();
  const { show } = usePanels();
  const { readOnly } = useWorkspaceContext();
  const isReady = useWorkspace(({ status }) => status === 'ready');
  const [returned, setReturned] = useState(() => (readOnly ? null : signInReturn(location.search)));

  useEffect(() => {
    if (!returned || !isReady) return;
    setReturned(null);
    const { projectId, serverId, end } = returned;
    const params = { id: projectId, serverId };
    const address = location.href;
    const finish = async () => {
      const ended = end ? await change('toolServer.endSignIn', { params, body: end }) : failed('tools.signInRefused');
      // Until here a reload begins again. From now on the code is of no use, and the project stays.
      if (location.href === address) history.replaceState(history.state, '', `${location.pathname}?projectId=${projectId}`);
      // What it finds is shown with the server.
      const tested = ended.ok ? await change('toolServer.test', { params }) : ended;
      show({ window: { kind: 'tools', serverId, problem: tested.ok ? null : tested.error } });
    };
    void finish();
  }, [returned, isReady, change, show]);
}
