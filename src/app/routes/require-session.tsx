import { type ReactNode, useEffect, useState } from 'react';
import { Navigate } from 'react-router-dom';
import { useSession } from '../../session/session-provider.tsx';
import { useIsLanguageSettled } from '../follow-account-language.ts';
import { PageLoading } from './page-loading.tsx';

/**
 * Lets in whoever is signed in. With a stored token the session is restored first; without one, or when that fails, the
 * visitor goes to the landing page.
 */
export function RequireSession({ children }: { children: ReactNode }) {
  const { auth, hasTokens, restore } = useSession();
  const [failed, setFailed] = useState(false);
  const { isLoggedIn } = auth;
  const isSettled = useIsLanguageSettled();

  useEffect(() => {
    if (isLoggedIn || !hasTokens()) return;
    let here = true;
    void restore().then((restored) => here && setFailed(!restored));
    return () => {
      here = false;
    };
  }, [isLoggedIn, hasTokens, restore]);

  if (isLoggedIn) return isSettled ? children : <PageLoading />;
  if (failed || !hasTokens()) return <Navigate to="/" replace />;
  return <PageLoading />;
}
