import { type ReactNode, useEffect, useState } from 'react';
import { Navigate } from 'react-router-dom';
import { useSession } from '../../session/session-provider.tsx';
import { LeavingAccount } from './account/lazy-leaving-account.ts';
import { useIsLanguageSettled } from './follow-account-language.ts';
import { PageLoading } from './page-loading.tsx';

/**
 * Shows its content to signed-in users. An account that is being deleted gets the page that offers to take it back. With a stored token it restores the session first. Without a session it redirects to the
 * landing page.
 */
export function RequireSession({ children }: { children: ReactNode }) {
  const { auth, hasTokens, restore } = useSession();
  const [failed, setFailed] = useState(false);
  const { isLoggedIn, deletionDueAt } = auth;
  const isSettled = useIsLanguageSettled();

  useEffect(() => {
    if (isLoggedIn || !hasTokens()) return;
    let here = true;
    void restore().then((restored) => here && setFailed(!restored));
    return () => {
      here = false;
    };
  }, [isLoggedIn, hasTokens, restore]);

  if (isLoggedIn && isSettled && deletionDueAt !== null) return <LeavingAccount dueAt={deletionDueAt} />;
  if (isLoggedIn) return isSettled ? children : <PageLoading />;
  if (failed || !hasTokens()) return <Navigate to="/" replace />;
  return <PageLoading />;
}
