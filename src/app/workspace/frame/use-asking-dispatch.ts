import { useCallback } from 'react';
import type { Dispatch } from '../../../model/commands.ts';
import { useDispatch } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from './panels.tsx';

/** Returns a dispatch that asks once what copied cards get where the account has no room for an agent of each, and gives the command again. R37 */
export function useAskingDispatch(): Dispatch {
  const dispatch = useDispatch();
  const { show } = usePanels();
  return useCallback(
    async (command) => {
      const outcome = await dispatch(command);
      if (outcome.ok || outcome.error.code !== 'agent.noRoom') return outcome;
      if (command.type !== 'nodes.paste' && command.type !== 'nodes.duplicate' && command.type !== 'canvas.replace') return outcome;
      const { error: problem } = outcome;
      return new Promise((resolve) => {
        const choose = (agents: 'some' | 'none' | null) => {
          show({ window: null });
          resolve(agents === null ? outcome : dispatch({ ...command, agents }));
        };
        show({ window: { kind: 'agentRoom', problem, choose } });
      });
    },
    [dispatch, show],
  );
}
