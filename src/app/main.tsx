import '@fontsource-variable/inter/opsz.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '../ui/base.css';
import '../ui/tokens.css';
import { type ReactNode, StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { startI18n } from '../ui/i18n/start-i18n.ts';
import { importPart } from '../ui/loading/import-part.ts';
import { followVersion } from '../ui/new-version.ts';
import { servedVersion } from '../ui/served-version.ts';
import { followTheme } from '../ui/theme.tsx';
import { prestartDemoWorker } from '../workers/bridge/demo-worker.ts';
import { hasStillImage, loadBehindStillImage, removeForeignStillImage, removeStillImage } from './demo-still.ts';
import { hasStoredTokens } from './has-stored-tokens.ts';
import { NotLoaded } from './not-loaded.tsx';
import { Providers } from './providers.tsx';
import { isDemoPath } from './routes/demo-path.ts';

const element = rootElement();
let root: Root | null = null;

followTheme();
followVersion(servedVersion);
const isLanding = /^\/(landing\/?)?$/i.test(location.pathname);
// Markup in the other language than the visitor's was kept by somebody on its way here: it is drawn anew.
const isPrerendered = isLanding && element.dataset.language === document.documentElement.lang;
// The router and what it needs are loaded by visitors who go on from the landing page, or begin elsewhere.
if (isLanding) {
  // Who is signed in changes the page just after it was taken over: by then all of it has to be there, or it would be drawn anew.
  const takesAll = isPrerendered && hasStoredTokens();
  const texts = startI18n(takesAll ? ['common', 'landing', 'offer'] : ['common', 'landing']);
  // Parts that did not arrive are asked for again by the page itself.
  const later = takesAll && laterParts().catch(() => {});
  const loading = landing().catch(() => null);
  await texts;
  await later;
  const page = await loading;
  if (page) show(page, isPrerendered);
  else show(<NotLoaded />);
} else {
  // The largest page is fetched beside what leads to it; the page itself asks again for what does not arrive.
  if (location.pathname === '/test-project' && hasStoredTokens()) void import('./routes/server-workspace.tsx').catch(() => {});
  removeForeignStillImage();
  // The engine comes beside the page that it is for.
  if (isDemoPath(location.pathname)) prestartDemoWorker();
  const scripts = loadBehindStillImage(() =>
    importPart(() => Promise.all([import('./router.tsx'), import('./routes/page-loading.tsx')])),
  ).catch(() => null);
  await startI18n(['common']);
  const loaded = await scripts;
  if (loaded) {
    const [{ Router, loadPage }, { PageLoading }] = loaded;
    // Behind a picture nobody sees that it is being loaded.
    if (!hasStillImage()) show(<PageLoading />);
    // What could not be brought is asked for again by the page itself, which says so.
    await loadBehindStillImage(() => loadPage(location.pathname)).catch(removeStillImage);
    show(<Router />);
  } else {
    removeStillImage();
    show(<NotLoaded />);
  }
}

async function landing(): Promise<ReactNode> {
  const { LandingApp } = await importPart(() => import('./landing-app.tsx'));
  return <LandingApp leave={leave} />;
}

function laterParts() {
  return Promise.all([
    importPart(() => import('../landing/picture/product-picture.tsx')),
    importPart(() => import('../landing/landing-sections.tsx')),
    importPart(() => import('../landing/landing-footer.tsx')),
  ]);
}

function leave(): void {
  // What cannot be loaded, after an update of the server or without a network, is asked for as a whole page.
  routed().then(show, () => location.reload());
}

async function routed(): Promise<ReactNode> {
  const { Router } = await importPart(() => import('./router.tsx'));
  return <Router />;
}

function show(page: ReactNode, takesOver = false): void {
  const framed = (
    <StrictMode>
      <Providers>{page}</Providers>
    </StrictMode>
  );
  // As a transition it is drawn in slices, between which the page answers.
  startTransition(() => {
    if (root) root.render(framed);
    else begin(framed, takesOver);
  });
}

/** Takes over the markup that the page came with, which is what is framed, or clears it away. */
function begin(framed: ReactNode, takesOver: boolean): void {
  delete element.dataset.language;
  if (takesOver) {
    root = hydrateRoot(element, framed);
    return;
  }
  element.replaceChildren();
  root = createRoot(element);
  root.render(framed);
}

function rootElement(): HTMLElement {
  const found = document.getElementById('root');
  if (!found) throw new Error('The page has no root element');
  return found;
}
