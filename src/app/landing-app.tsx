import { Suspense, useMemo } from 'react';
import type { LandingParts } from '../landing/landing-page.tsx';
import { type Navigation, NavigationContext } from '../ui/navigation.tsx';
import { LandingRoute } from './routes/landing-route.tsx';
import { PageLoading } from './routes/page-loading.tsx';
import { SessionShell } from './session-shell.tsx';

/** The landing page without a router. `leave` shows the page of the new URL; `parts` are already loaded parts of the page. */
export function LandingApp({ leave, parts }: { leave: () => void; parts?: LandingParts }) {
  const navigation = useMemo<Navigation>(
    () => ({
      path: '/',
      go(path, how) {
        // A link to this page itself keeps the values of its forms.
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
          <LandingRoute parts={parts} />
        </SessionShell>
      </Suspense>
    </NavigationContext>
  );
}
