import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { useApiBase, useSession } from '../../../session/session-provider.tsx';
import { ApiData } from '../../server-data/api-data.tsx';
import { LeavingAccount } from '../account/lazy-leaving-account.ts';
import { RedirectToForbidden } from '../notices/redirect-to-forbidden.tsx';
import { PageLoading } from '../page-loading.tsx';

/** Shows a page to staff, with the data of the server; refuses other users. */
export function StaffOnly({ children }: { children: ReactNode }) {
  const { auth, hasTokens, restore, loadProfile } = useSession();
  const apiBase = useApiBase();
  const [refused, setRefused] = useState(false);
  const { isLoggedIn, isStaff, deletionDueAt } = auth;

  useEffect(() => {
    if (isStaff !== null) return;
    let here = true;
    const look = async () => {
      const known = isLoggedIn || (hasTokens() && (await restore()));
      // Without an answer of the server the user does not count as staff.
      const allowed = known && (await loadProfile()).ok;
      if (here && !allowed) setRefused(true);
    };
    void look();
    return () => {
      here = false;
    };
  }, [isLoggedIn, isStaff, hasTokens, restore, loadProfile]);

  if (deletionDueAt !== null) return <LeavingAccount dueAt={deletionDueAt} />;
  if (isStaff === false || (refused && !isStaff)) return <RedirectToForbidden />;
  if (!isStaff || apiBase === null) return <PageLoading />;
  return (
    <Suspense fallback={<PageLoading />}>
      <ApiData apiBase={apiBase}>{children}</ApiData>
    </Suspense>
  );
}
