import { useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { CanvasView } from '../../canvas/canvas-view.ts';
import { useSession } from '../../session/session-provider.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { usePageTitle } from '../../ui/use-page-title.ts';
import { prestartedWorker } from '../../workers/bridge/prestarted-worker.ts';
import { startEngineWorker } from '../../workers/bridge/start-engine-worker.ts';
import { createWorkspaceBridge, type WorkspaceBridge } from '../../workers/bridge/workspace-bridge.ts';
import type { EngineSession } from '../../workers/protocol.ts';
import { accountWindows } from '../workspace/modals/modal-switch.tsx';
import { windowNotLoaded } from '../workspace/modals/window-not-loaded.tsx';
import { Workspace } from '../workspace/workspace.tsx';
import { checkVersionOnReturn } from './check-version-on-return.ts';
import { PageLoading } from './page-loading.tsx';

const AccountWindows = lazyPart(
  () => import('../workspace/account/account-windows.tsx').then((file) => file.AccountWindows),
  windowNotLoaded(accountWindows),
);

const takeWorker = prestartedWorker(startEngineWorker);

type ServerWorkspaceProps = { projectId: string; session: EngineSession };

/** A project of the server. Starts its engine, and keeps the engine's session and language in sync with the page's. */
export function ServerWorkspace({ projectId, session }: ServerWorkspaceProps) {
  const { auth, logout, openLogin, refreshNow, accessToken, loadProfile } = useSession();
  const navigate = useNavigate();
  const [view] = useState(() => new CanvasView());
  const bridge = useServerBridge(projectId, session);
  const title = useWorkspaceTitle(bridge);
  usePageTitle(title);

  const { user, isStaff } = auth;
  // The answer to a sign-in does not contain all fields of the profile.
  useEffect(() => {
    if (isStaff === null) void loadProfile();
  }, [isStaff, loadProfile]);

  const latestSession = useRef(session);
  latestSession.current = session;
  const account = useMemo(
    () =>
      user && {
        name: user.name,
        email: user.email,
        // Pending edits are sent while the session is still valid.
        signOut: () => void (bridge?.close() ?? Promise.resolve()).finally(logout),
        signIn: () => openLogin(),
        checkAuth: async () => {
          if (!(await refreshNow())) return false;
          const fresh = await accessToken();
          // Set before the next call, which would use the refused token.
          if (fresh !== null) await bridge?.setSession({ ...latestSession.current, accessToken: fresh });
          return fresh !== null;
        },
        openDeadLetters: isStaff ? () => void navigate('/dead-letters') : null,
        openLeads: isStaff ? () => void navigate('/leads') : null,
        // The engine of the closed project sends its pending edits, and the journal keeps the rest. Without a journal the user was asked
        // before.
        openProject: (id: string) => void navigate(`/test-project?projectId=${id}`),
        Windows: AccountWindows,
      },
    [user, isStaff, bridge, logout, openLogin, refreshNow, accessToken, navigate],
  );

  if (!bridge) return <PageLoading />;
  return <Workspace bridge={bridge} view={view} account={account} />;
}

function useServerBridge(projectId: string, session: EngineSession): WorkspaceBridge | null {
  const { language } = useTranslation('common');
  const { serverConfig, refreshNow } = useSession();
  const [bridge, setBridge] = useState<WorkspaceBridge | null>(null);
  const { accessToken, apiBase, userId } = session;
  const latest = useRef({ session, language });
  latest.current = { session, language };

  useEffect(() => {
    let started: WorkspaceBridge | null = null;
    let here = true;
    void serverConfig().then((config) => {
      if (!here) return;
      started = createWorkspaceBridge({
        startWorker: takeWorker,
        source: { kind: 'server', projectId, realtime: config?.realtime ?? 'auto', ...latest.current },
      });
      setBridge(started);
    });
    return () => {
      here = false;
      setBridge(null);
      void started?.close();
    };
  }, [projectId, serverConfig]);

  useEffect(() => {
    void bridge?.setSession({ accessToken, apiBase, userId });
  }, [bridge, accessToken, apiBase, userId]);

  useEffect(() => {
    void bridge?.setLanguage(language);
  }, [bridge, language]);

  useEffect(() => bridge?.store && checkVersionOnReturn(bridge.store), [bridge]);

  // The engine never refreshes tokens: it reports a refused token and waits for a new one.
  useEffect(() => {
    if (!bridge) return;
    let asked = false;
    const refreshWhenRefused = () => {
      const refused = !bridge.store.getState().connection.authenticated;
      if (refused && !asked) void refreshNow();
      asked = refused;
    };
    refreshWhenRefused();
    return bridge.store.subscribe(refreshWhenRefused);
  }, [bridge, refreshNow]);

  return bridge;
}

/** The project's name, after the number of questions that wait: `(2) Bakery`. Null until the project is open. */
function useWorkspaceTitle(bridge: WorkspaceBridge | null): string | null {
  const [title, setTitle] = useState<string | null>(null);
  useEffect(() => {
    if (!bridge) return;
    const read = () => {
      const { project, questions } = bridge.store.getState();
      const count = questions.items.length;
      setTitle(project && (count > 0 ? `(${count}) ${project.name}` : project.name));
    };
    read();
    return bridge.store.subscribe(read);
  }, [bridge]);
  return title;
}
