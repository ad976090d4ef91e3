import type { Dispatch } from '../../../model/commands.ts';
import { isLocked } from '../../../model/workspace-state.ts';
import type { WorkspaceStore } from '../../../model/workspace-store.ts';
import type { Panels } from '../frame/panels.tsx';
import type { Account } from '../frame/workspace-context.ts';
import type { ActionHandler } from './action-handler.ts';

type WorkspaceAction =
  | 'startRun'
  | 'stopRun'
  | 'clearRun'
  | 'toggleConsole'
  | 'toggleSidebar'
  | 'toggleHistory'
  | 'toggleVersions'
  | 'questions'
  | 'togglePerformance'
  | 'toggleMinimap'
  | 'find'
  | 'palette'
  | 'shortcuts'
  | 'addAgent'
  | 'addUser'
  | 'projects'
  | 'newProject'
  | 'tools'
  | 'connections'
  | 'connect'
  | 'triggers'
  | 'inviteMember'
  | 'theme'
  | 'language'
  | 'reload'
  | 'syncMenu'
  | 'restoreAgents'
  | 'account'
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
  toggleTheme: () => void;
  toggleLanguage: () => void;
};

/** The actions on the run, the panels and the page. */
export function workspaceActions(parts: WorkspaceParts): Record<WorkspaceAction, ActionHandler> {
  const { store, dispatch, readOnly, runs, mobile, account, panels, show, startRun, signOut, toggleTheme, toggleLanguage } = parts;
  const run = () => store.getState().run;
  /** A replay shows a run of the past, which nothing controls. */
  const isPresent = () => store.getState().replay === null;
  const isReady = () => store.getState().status === 'ready';
  const ownsAgents = () => hasProjects() && !isLocked(run());
  const hasProjects = () => !readOnly && account !== null && store.getState().project !== null;
  return {
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
    toggleConsole: { run: () => show({ console: panels.console === 'closed' ? 'open' : 'closed' }) },
    toggleSidebar: { can: () => mobile || !readOnly, run: () => show({ sidebar: !panels.sidebar }) },
    toggleHistory: { can: () => store.getState().project !== null, run: () => show({ history: !panels.history }) },
    toggleVersions: { can: () => account !== null && store.getState().project !== null, run: () => show({ versions: !panels.versions }) },
    questions: {
      can: () => account !== null && store.getState().project !== null,
      run: () => show({ window: { kind: 'questions', questionId: null } }),
    },
    togglePerformance: { run: () => show({ performance: !panels.performance }) },
    toggleMinimap: { can: () => !mobile, run: () => show({ minimap: !panels.minimap }) },
    find: { run: () => show({ window: { kind: 'palette', scope: 'nodes' } }) },
    palette: { run: () => show({ window: { kind: 'palette', scope: 'all' } }) },
    shortcuts: { run: () => show({ window: { kind: 'shortcuts' } }) },
    addAgent: { can: () => !readOnly, run: () => show({ window: { kind: 'addAgent' } }) },
    addUser: { can: () => !readOnly, run: () => show({ window: { kind: 'addUser' } }) },
    projects: { can: hasProjects, run: () => show({ window: { kind: 'projects' } }) },
    newProject: { can: hasProjects, run: () => show({ window: { kind: 'projectForm', project: null } }) },
    tools: { can: hasProjects, run: () => show({ window: { kind: 'tools' } }) },
    triggers: { can: hasProjects, run: () => show({ window: { kind: 'connect', section: 'triggers' } }) },
    connect: { can: hasProjects, run: () => show({ window: { kind: 'connect' } }) },
    connections: { can: hasProjects, run: () => show({ window: { kind: 'connections' } }) },
    inviteMember: { can: () => !readOnly && account !== null, run: () => show({ window: { kind: 'inviteMember' } }) },
    theme: { run: toggleTheme },
    language: { run: toggleLanguage },
    reload: {
      can: () => store.getState().project !== null && store.getState().run.phase !== 'starting',
      run: () => void dispatch({ type: 'workspace.reload' }),
    },
    syncMenu: { can: ownsAgents, run: () => void dispatch({ type: 'agents.sync' }) },
    restoreAgents: { can: ownsAgents, run: () => void dispatch({ type: 'agents.restore' }) },
    account: { can: () => account !== null, run: () => show({ window: { kind: 'account' } }) },
    signOut: { can: () => account !== null, run: signOut },
  };
}
