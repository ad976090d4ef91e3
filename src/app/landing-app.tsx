import { Suspense, useMemo } from 'react';
import { type Navigation, NavigationContext } from '../ui/navigation.tsx';
import { LandingRoute } from './routes/landing-route.tsx';
import { PageLoading } from './routes/page-loading.tsx';
import { SessionShell } from './session-shell.tsx';

/** The landing page without a router. `leave` shows the page that the address names by then. */
export function LandingApp({ leave }: { leave: () => void }) {
  const navigation = useMemo<Navigation>(
    () => ({
      path: location.pathname,
      go(path, how) {
        // A link to this very page leaves what is written in it.
        if (path === '/') {
          scrollTo({ top: 0 });
          return;
        }
        history[how?.replace ? 'replaceState' : 'pushState'](null, '', path);
        leave();
      },
    }),
    [leave],
  );
  return (
    <NavigationContext value={navigation}>
      <Suspense fallback={<PageLoading />}>
        <SessionShell>
          <LandingRoute />
        </SessionShell>
      </Suspense>
    </NavigationContext>
  );
}
