import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { useObserved } from '../state/use-observed.ts';
import { type AuthState, applyAuthRecipe, initialAuthState } from './auth-state.ts';
import { type PageSession, startPageSession } from './page-session.ts';

type SessionContextValue = { auth: AuthState; page: PageSession };

const SessionContext = createContext<SessionContextValue | null>(null);

/** Provides the account's session to a part of the page. `language` is sent with every call. */
export function SessionProvider({ language, children }: { language: string; children: ReactNode }) {
  const [auth, setAuth] = useState(initialAuthState);
  const [page] = useState(() => startPageSession((recipe) => setAuth((before) => applyAuthRecipe(before, recipe))));
  page.language = language;

  useEffect(() => page.begin(), [page]);

  const value = useMemo(() => ({ auth, page }), [auth, page]);
  return <SessionContext value={value}>{children}</SessionContext>;
}

/** Returns the account's state and the session's operations. */
export function useSession(): { auth: AuthState } & PageSession['operations'] {
  const { auth, page } = useSessionContext();
  return useMemo(() => ({ auth, ...page.operations }), [auth, page]);
}

/** Returns the current access token in storage, including changes by other tabs. */
export function useAccessToken(): string | null {
  const { page } = useSessionContext();
  return useObserved(page.tokens, page.tokens.accessToken);
}

/** Returns the base URL of the API on the chosen server; null until it is chosen. */
export function useApiBase(): string | null {
  const { page } = useSessionContext();
  const [base, setBase] = useState<string | null>(null);
  useEffect(() => {
    let here = true;
    void page.apiBase().then((chosen) => here && setBase(chosen));
    return () => {
      here = false;
    };
  }, [page]);
  return base;
}

/** Returns the function that resolves with the base URL of the API on the chosen server, for pages that may never need it. */
export function usePickServer(): () => Promise<string> {
  return useSessionContext().page.apiBase;
}

function useSessionContext(): SessionContextValue {
  const value = useContext(SessionContext);
  if (!value) throw new Error('A session is used outside its provider');
  return value;
}
