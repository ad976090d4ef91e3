import type { Dispatch } from '../../../model/commands.ts';
import { isLocked } from '../../../model/workspace-state.ts';
import type { WorkspaceStore } from '../../../model/workspace-store.ts';
import { actionTable, type PanelAction, panelActions } from '../frame/action-table.ts';
import type { Panels } from '../frame/panels.tsx';
import type { Account } from '../frame/workspace-context.ts';
import type { ActionHandler } from './action-handler.ts';

type WorkspaceAction =
  | 'startRun'
  | 'stopRun'
  | 'clearRun'
  | 'help'
  | 'theme'
  | 'language'
  | 'reload'
  | 'syncMenu'
  | 'restoreAgents'
  | 'signOut';

type WorkspaceParts = {
  store: WorkspaceStore;
  dispatch: Dispatch;
  readOnly: boolean;
  /** Whether the page can start and control runs. */
  runs: boolean;
  mobile: boolean;
  account: Account | null;
  panels: Panels;
  show: (changes: Partial<Panels>) => void;
  startRun: () => void;
  signOut: () => void;
  openHelp: () => void;
  toggleTheme: () => void;
  toggleLanguage: () => void;
};

/** The actions on the run, the panels and the page. */
export function workspaceActions(parts: WorkspaceParts): Record<WorkspaceAction | PanelAction, ActionHandler> {
  const { store, dispatch, readOnly, runs, mobile, account, panels, show, startRun, signOut, openHelp, toggleTheme, toggleLanguage } =
    parts;
  const run = () => store.getState().run;
  /** A replay shows a run of the past, which nothing controls. */
  const isPresent = () => store.getState().replay === null;
  const isReady = () => store.getState().status === 'ready';
  const facts = () => ({ readOnly, mobile, hasAccount: account !== null, hasProject: store.getState().project !== null });
  const ownsAgents = () => !readOnly && account !== null && store.getState().project !== null && !isLocked(run());
  const opening = (name: PanelAction): ActionHandler => {
    const { opens, needs } = actionTable[name];
    return {
      can: () => needs?.(facts()) ?? true,
      run: () => opens && show(typeof opens === 'function' ? opens(panels) : opens),
    };
  };
  return {
    ...(Object.fromEntries(panelActions.map((name) => [name, opening(name)])) as Record<PanelAction, ActionHandler>),
    startRun: {
      can: () => runs && isPresent() && isReady() && ['stopped', 'running', 'paused'].includes(run().phase),
      run: () => {
        const { phase } = run();
        if (phase === 'running') void dispatch({ type: 'run.pause' });
        else if (phase === 'paused') void dispatch({ type: 'run.resume' });
        else if (phase === 'stopped') startRun();
      },
    },
    stopRun: {
      can: () => runs && isPresent() && run().phase !== 'stopped' && run().phase !== 'stopping',
      run: () => void dispatch({ type: 'run.stop' }),
    },
    clearRun: { can: () => runs && isPresent() && run().outcome !== null, run: () => void dispatch({ type: 'run.clear' }) },
    help: { run: openHelp },
    theme: { run: toggleTheme },
    language: { run: toggleLanguage },
    reload: {
      can: () => store.getState().project !== null && store.getState().run.phase !== 'starting',
      run: () => void dispatch({ type: 'workspace.reload' }),
    },
    syncMenu: { can: ownsAgents, run: () => void dispatch({ type: 'agents.sync' }) },
    restoreAgents: { can: ownsAgents, run: () => void dispatch({ type: 'agents.restore' }) },
    signOut: { can: () => account !== null, run: signOut },
  };
}
