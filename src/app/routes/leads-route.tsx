import { Suspense, useEffect, useState } from 'react';
import { useApiBase, useSession } from '../../session/session-provider.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { PageLoading } from './page-loading.tsx';
import { ToForbidden } from './to-forbidden.tsx';

const LeadsPage = lazyPart(() => import('../leads/leads-page.tsx').then((file) => file.LeadsPage));

/** The demo requests, for the staff; anybody else is refused. */
export function LeadsRoute() {
  const { auth, hasTokens, restore, loadProfile } = useSession();
  const apiBase = useApiBase();
  const [refused, setRefused] = useState(false);
  const { isLoggedIn, isStaff } = auth;

  useEffect(() => {
    if (isStaff !== null) return;
    let here = true;
    const look = async () => {
      const known = isLoggedIn || (hasTokens() && (await restore()));
      // Without a word of the server nobody is taken for staff.
      const allowed = known && (await loadProfile()).ok;
      if (here && !allowed) setRefused(true);
    };
    void look();
    return () => {
      here = false;
    };
  }, [isLoggedIn, isStaff, hasTokens, restore, loadProfile]);

  if (isStaff === false || (refused && !isStaff)) return <ToForbidden />;
  if (!isStaff || apiBase === null) return <PageLoading />;
  return (
    <Suspense fallback={<PageLoading />}>
      <LeadsPage apiBase={apiBase} />
    </Suspense>
  );
}
