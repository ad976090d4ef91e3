import { Suspense, useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useAccessToken, useApiBase, useSession } from '../../session/session-provider.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { PageLoading } from './page-loading.tsx';
import { RequireSession } from './require-session.tsx';

const ServerWorkspace = lazyPart(() => import('./server-workspace.tsx').then((file) => file.ServerWorkspace));

/** Brings what the workspace is made of, for whoever is about to be let in. */
export const loadWorkspace = ServerWorkspace.load;

/** The project to open when the address names none; the server takes it for the user's first. */
const defaultProject = 'default';

/** The project workspace, for whoever is signed in. */
export function WorkspaceRoute() {
  const { hasTokens, serverConfig } = useSession();
  useEffect(() => {
    // Asked while the session is being restored.
    if (hasTokens()) void serverConfig();
  }, [hasTokens, serverConfig]);
  return (
    <RequireSession>
      <SignedInWorkspace />
    </RequireSession>
  );
}

function SignedInWorkspace() {
  const [search] = useSearchParams();
  const { auth } = useSession();
  const accessToken = useAccessToken();
  const apiBase = useApiBase();
  const userId = auth.user?.id;
  if (!accessToken || !apiBase || userId === undefined) return <PageLoading />;
  const projectId = search.get('projectId') || defaultProject;
  return (
    <Suspense fallback={<PageLoading />}>
      <ServerWorkspace key={`${userId}/${projectId}`} projectId={projectId} session={{ accessToken, apiBase, userId }} />
    </Suspense>
  );
}
