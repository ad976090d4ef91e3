import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import { BrowserRouter, Outlet, Route, Routes, useLocation, useNavigate } from 'react-router-dom';
import { preloadAreas } from '../ui/i18n/preload-areas.ts';
import { NavigationContext } from '../ui/navigation.tsx';
import { readStored } from '../ui/stored-preference.ts';
import { NotFoundPage } from './routes/not-found-page.tsx';
import { PageLoading } from './routes/page-loading.tsx';
import { SessionShell } from './session-shell.tsx';

const LandingRoute = lazy(() => import('./routes/landing-route.tsx').then((file) => ({ default: file.LandingRoute })));
const WithTooltips = lazy(() => import('./routes/with-tooltips.tsx').then((file) => ({ default: file.WithTooltips })));
const WorkspaceRoute = lazy(() => import('./routes/workspace-route.tsx').then((file) => ({ default: file.WorkspaceRoute })));
const ForbiddenRoute = lazy(() => import('./routes/forbidden-route.tsx').then((file) => ({ default: file.ForbiddenRoute })));
const ResetPasswordRoute = lazy(() => import('./routes/reset-password-route.tsx').then((file) => ({ default: file.ResetPasswordRoute })));
const LeadsRoute = lazy(() => import('./routes/leads-route.tsx').then((file) => ({ default: file.LeadsRoute })));
const PrivacyRoute = lazy(() => import('./routes/privacy-route.tsx').then((file) => ({ default: file.PrivacyRoute })));
const DemoRoute = lazy(() => {
  preloadAreas(['workspace', 'canvas', 'actions', 'errors', 'console']);
  return loadDemo().then((file) => ({ default: file.DemoRoute }));
});
const TestPages = lazy(() => import('./test-pages/test-pages.tsx').then((file) => ({ default: file.TestPages })));
const BenchRoute = lazy(() => import('./routes/bench-route.tsx').then((file) => ({ default: file.BenchRoute })));

const testPages = ['test-auth', 'simple-test', 'login-test', 'storage-test'] as const;
const demoPath = '/public-test';
const loadDemo = () => import('./routes/demo-route.tsx');
// The largest page that strangers come to is fetched while the first texts are still on their way.
if (location.pathname === demoPath) void loadDemo();

// Whoever looks for a fault in the storage asks for this in the browser's console: on the pages beyond the landing page.
if (readStored('debug') !== null) void import('./test-pages/watch-storage.ts').then(({ watchStorage }) => watchStorage());

/** The pages by their addresses; each arrives with its own chunk. */
export function Router() {
  return (
    <BrowserRouter>
      <RouterNavigation>
        <Pages />
      </RouterNavigation>
    </BrowserRouter>
  );
}

function RouterNavigation({ children }: { children: ReactNode }) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const navigation = useMemo(() => ({ path: pathname, go: navigate }), [pathname, navigate]);
  return <NavigationContext value={navigation}>{children}</NavigationContext>;
}

function Pages() {
  return (
    <Suspense fallback={<PageLoading />}>
      <Routes>
        <Route element={<WithSession />}>
          <Route path="/" element={<LandingRoute />} />
          <Route path="/landing" element={<LandingRoute />} />
          <Route element={<WithTooltips />}>
            <Route path="/test-project" element={<WorkspaceRoute />} />
            <Route path="/leads" element={<LeadsRoute />} />
          </Route>
          <Route path="/forbidden" element={<ForbiddenRoute />} />
          <Route path="/reset-password" element={<ResetPasswordRoute />} />
          {testPages.map((name) => (
            <Route key={name} path={`/${name}`} element={<TestPages name={name} />} />
          ))}
        </Route>
        <Route path="/privacy-policy" element={<PrivacyRoute />} />
        <Route element={<WithTooltips />}>
          <Route path={demoPath} element={<DemoRoute />} />
          <Route path="/bench" element={<BenchRoute />} />
        </Route>
        <Route path="*" element={<NotFoundPage />} />
      </Routes>
    </Suspense>
  );
}

function WithSession() {
  return (
    <SessionShell>
      <Outlet />
    </SessionShell>
  );
}
