import { Suspense, useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useAccessToken, useApiBase, useSession } from '../../session/session-provider.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { signInReturn } from '../workspace/tools/sign-in-return.ts';
import { PageLoading } from './page-loading.tsx';
import { RequireSession } from './require-session.tsx';

const ServerWorkspace = lazyPart(() => import('./server-workspace.tsx').then((file) => file.ServerWorkspace));

/** Loads the scripts of the workspace for a user who is likely to be admitted. */
export const loadWorkspace = ServerWorkspace.load;

/** The project to open when the URL names none; the server takes it as the user's first project. */
const defaultProject = 'default';

/** The project workspace for signed-in users. */
export function WorkspaceRoute() {
  const { hasTokens, serverConfig } = useSession();
  useEffect(() => {
    // Loads while the session is being restored.
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
  const projectId = signInReturn(search)?.projectId || search.get('projectId') || defaultProject;
  return (
    <Suspense fallback={<PageLoading />}>
      <ServerWorkspace key={`${userId}/${projectId}`} projectId={projectId} session={{ accessToken, apiBase, userId }} />
    </Suspense>
  );
}
