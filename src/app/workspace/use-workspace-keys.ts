import { useEffect } from 'react';
import { tinykeys } from 'tinykeys';
import { useDispatch, useStore } from '../../workers/bridge/use-workspace.ts';
import { usePanels } from './panels.tsx';
import { useStartRun } from './run/use-start-run.ts';
import { skipsShortcut } from './skips-shortcut.ts';
import { useSurroundings } from './workspace-context.ts';

/** The panels' shortcuts, by the key's place, so that they hold on a Russian layout too. None works under an open dialog. */
export function useWorkspaceKeys(): void {
  const { panels, show } = usePanels();
  const { readOnly } = useSurroundings();
  const store = useStore();
  const dispatch = useDispatch();
  const start = useStartRun();
  useEffect(() => {
    const on = (action: () => void) => (event: KeyboardEvent) => {
      if (document.querySelector('[role="dialog"], [role="alertdialog"]')) return;
      event.preventDefault();
      action();
    };
    const run = () => {
      const { phase } = store.getState().run;
      if (phase === 'running') void dispatch({ type: 'run.pause' });
      else if (phase === 'paused') void dispatch({ type: 'run.resume' });
      else if (phase === 'stopped') start();
    };
    const stop = () => {
      const { phase } = store.getState().run;
      if (phase !== 'stopped' && phase !== 'stopping') void dispatch({ type: 'run.stop' });
    };
    const shortcuts = {
      '$mod+KeyJ': on(() => show({ console: panels.console === 'closed' ? 'open' : 'closed' })),
      '$mod+KeyB': on(() => show({ sidebar: !panels.sidebar })),
      'Alt+KeyH': on(() => show({ history: !panels.history })),
      ...(readOnly ? {} : { 'Alt+KeyR': on(run), 'Alt+KeyS': on(stop) }),
    };
    return tinykeys(window, shortcuts, { ignore: skipsShortcut });
  }, [panels, show, readOnly, store, dispatch, start]);
}
