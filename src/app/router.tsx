import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import { BrowserRouter, Outlet, Route, Routes, useLocation, useNavigate } from 'react-router-dom';
import { preloadAreas } from '../ui/i18n/preload-areas.ts';
import { NavigationContext } from '../ui/navigation.tsx';
import { readStored } from '../ui/stored-preference.ts';
import { arrivingPage } from './arriving-page.ts';
import { hasStoredTokens } from './has-stored-tokens.ts';
import { NotFoundPage } from './routes/not-found-page.tsx';
import { PageLoading } from './routes/page-loading.tsx';
import { SessionShell } from './session-shell.tsx';

const LandingRoute = lazy(() => import('./routes/landing-route.tsx').then((file) => ({ default: file.LandingRoute })));
const withTooltips = arrivingPage(() => import('./routes/with-tooltips.tsx').then((file) => file.WithTooltips));
const workspace = arrivingPage(() => loadWorkspaceRoute().then((file) => file.WorkspaceRoute));
const ForbiddenRoute = lazy(() => import('./routes/forbidden-route.tsx').then((file) => ({ default: file.ForbiddenRoute })));
const ResetPasswordRoute = lazy(() => import('./routes/reset-password-route.tsx').then((file) => ({ default: file.ResetPasswordRoute })));
const LeadsRoute = lazy(() => import('./routes/leads-route.tsx').then((file) => ({ default: file.LeadsRoute })));
const PrivacyRoute = lazy(() => import('./routes/privacy-route.tsx').then((file) => ({ default: file.PrivacyRoute })));
const demo = arrivingPage(async () => {
  const [file] = await Promise.all([loadDemo(), preloadAreas(workspaceAreas)]);
  return file.DemoRoute;
});
const TestPages = lazy(() => import('./test-pages/test-pages.tsx').then((file) => ({ default: file.TestPages })));
const BenchRoute = lazy(() => import('./routes/bench-route.tsx').then((file) => ({ default: file.BenchRoute })));

const testPages = ['test-auth', 'simple-test', 'login-test', 'storage-test'] as const;
const demoPath = '/public-test';
const workspacePath = '/test-project';
const workspaceAreas = ['workspace', 'canvas', 'actions', 'errors', 'console'] as const;
const loadDemo = () => import('./routes/demo-route.tsx');
const loadWorkspaceRoute = () => import('./routes/workspace-route.tsx');

/** Brings what the page at an address is made of, where that is much and can be known beforehand. */
export async function loadPage(path: string): Promise<void> {
  if (path === demoPath) await Promise.all([withTooltips.load(), demo.load()]);
  if (path !== workspacePath || !hasStoredTokens()) return;
  const whole = loadWorkspaceRoute().then((file) => file.loadWorkspace());
  await Promise.all([withTooltips.load(), workspace.load(), whole, preloadAreas(workspaceAreas)]);
}

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
          <Route element={<withTooltips.Page />}>
            <Route path={workspacePath} element={<workspace.Page />} />
            <Route path="/leads" element={<LeadsRoute />} />
          </Route>
          <Route path="/forbidden" element={<ForbiddenRoute />} />
          <Route path="/reset-password" element={<ResetPasswordRoute />} />
          {testPages.map((name) => (
            <Route key={name} path={`/${name}`} element={<TestPages name={name} />} />
          ))}
        </Route>
        <Route path="/privacy-policy" element={<PrivacyRoute />} />
        <Route element={<withTooltips.Page />}>
          <Route path={demoPath} element={<demo.Page />} />
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
