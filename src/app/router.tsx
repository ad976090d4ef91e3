import i18next from 'i18next';
import { type ReactNode, Suspense, useMemo } from 'react';
import { BrowserRouter, Outlet, Route, Routes, useLocation, useNavigate } from 'react-router-dom';
import { failedAreas } from '../ui/i18n/failed-areas.ts';
import type { Area } from '../ui/i18n/use-translation.ts';
import { lazyPart } from '../ui/loading/lazy-part.tsx';
import { NavigationContext } from '../ui/navigation.tsx';
import { readStored } from '../ui/stored-preference.ts';
import { hasStoredTokens } from './has-stored-tokens.ts';
import { isDemoPath } from './routes/demo-path.ts';
import { NotFoundPage } from './routes/notices/not-found-page.tsx';
import { PageLoading } from './routes/page-loading.tsx';
import { SessionShell } from './session-shell.tsx';

/** Loads these areas in parallel, before the components that need them one after the other. Throws a `PartLoadError`. */
async function preloadAreas(areas: readonly Area[]): Promise<void> {
  const failureOf = (area: Area) => failedAreas.get(`${i18next.language}/${area}`);
  // i18next loads an area once: a failed one is loaded again here.
  await Promise.all(areas.map((area) => failureOf(area)?.retry()));
  await i18next.loadNamespaces(areas);
  const failure = areas.map(failureOf).find(Boolean);
  if (failure) throw failure;
}

const LandingRoute = lazyPart(() => import('./routes/landing-route.tsx').then((file) => file.LandingRoute));
const WithTooltips = lazyPart(() => import('./routes/with-tooltips.tsx').then((file) => file.WithTooltips));
const Workspace = lazyPart(() => loadWorkspaceRoute().then((file) => file.WorkspaceRoute));
const ForbiddenRoute = lazyPart(() => import('./routes/notices/forbidden-route.tsx').then((file) => file.ForbiddenRoute));
const ResetPasswordRoute = lazyPart(() => import('./routes/account/reset-password-route.tsx').then((file) => file.ResetPasswordRoute));
const VerifyEmailRoute = lazyPart(() => import('./routes/account/verify-email-route.tsx').then((file) => file.VerifyEmailRoute));
const DeadLettersRoute = lazyPart(() => import('./routes/staff/dead-letters-route.tsx').then((file) => file.DeadLettersRoute));
const LeadsRoute = lazyPart(() => import('./routes/staff/leads-route.tsx').then((file) => file.LeadsRoute));
const QuestionLinkRoute = lazyPart(() => import('./routes/question-link-route.tsx').then((file) => file.QuestionLinkRoute));
const PrivacyRoute = lazyPart(() => import('./routes/privacy-route.tsx').then((file) => file.PrivacyRoute));
const Demo = lazyPart(async () => {
  const [file] = await Promise.all([loadDemo(), preloadAreas(demoAreas)]);
  return file.DemoRoute;
});
const TestPages = lazyPart(() => import('./test-pages/test-pages.tsx').then((file) => file.TestPages));
const BenchRoute = lazyPart(() => import('./routes/bench-route.tsx').then((file) => file.BenchRoute));

const testPages = ['test-auth', 'simple-test', 'login-test', 'storage-test'] as const;
const demoPath = '/public-test';
const workspacePath = '/test-project';
const demoAreas = ['words', 'workspace', 'canvas', 'actions', 'console'] as const;
const workspaceAreas = [...demoAreas, 'errors'] as const;
const loadDemo = () => import('./routes/demo-route.tsx');
const loadWorkspaceRoute = () => import('./routes/workspace-route.tsx');

/** Preloads the scripts of the page at a path, where they are large and known in advance. */
export async function loadPage(path: string): Promise<void> {
  if (isDemoPath(path)) await Promise.all([WithTooltips.load(), Demo.load()]);
  if (path !== workspacePath || !hasStoredTokens()) return;
  const whole = loadWorkspaceRoute().then((file) => file.loadWorkspace());
  await Promise.all([WithTooltips.load(), Workspace.load(), whole, preloadAreas(workspaceAreas)]);
}

// The `debug` entry of local storage turns on the log of storage accesses. The landing page does not load it.
if (readStored('debug') !== null) void import('./test-pages/watch-storage.ts').then(({ watchStorage }) => watchStorage());

/** The routes of the pages; each page is its own chunk. */
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
            <Route path={workspacePath} element={<Workspace />} />
            <Route path="/dead-letters" element={<DeadLettersRoute />} />
            <Route path="/leads" element={<LeadsRoute />} />
          </Route>
          <Route path="/forbidden" element={<ForbiddenRoute />} />
          <Route path="/reset-password" element={<ResetPasswordRoute />} />
          <Route path="/verify-email" element={<VerifyEmailRoute />} />
          {testPages.map((name) => (
            <Route key={name} path={`/${name}`} element={<TestPages name={name} />} />
          ))}
        </Route>
        <Route path="/q/:token" element={<QuestionLinkRoute />} />
        <Route path="/privacy-policy" element={<PrivacyRoute />} />
        <Route element={<WithTooltips />}>
          <Route path={demoPath} element={<Demo />} />
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
