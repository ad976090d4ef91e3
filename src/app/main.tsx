import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '../ui/base.css';
import '../ui/patterns.css';
import '../ui/tokens.css';
import i18next from 'i18next';
import { type ReactNode, StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { initReactI18next } from 'react-i18next';
import { Button } from '../ui/controls/buttons/button.tsx';
import { resolveLanguage } from '../ui/i18n/languages.ts';
import { lazyAreas } from '../ui/i18n/lazy-areas.ts';
import { textOptions } from '../ui/i18n/text-options.ts';
import type { Area } from '../ui/i18n/use-translation.ts';
import { useTranslation } from '../ui/i18n/use-translation.ts';
import { importPart } from '../ui/loading/import-part.ts';
import { followVersion } from '../ui/new-version.ts';
import { servedVersion } from '../ui/served-version.ts';
import { followTheme } from '../ui/theme.tsx';
import { prestartDemoWorker } from '../workers/bridge/demo-worker.ts';
import { hasStoredTokens } from './has-stored-tokens.ts';
import styles from './not-loaded.module.css';
import { Providers } from './providers.tsx';
import { isDemoPath } from './routes/demo-path.ts';
import { hasStillImage, loadBehindStillImage, removeForeignStillImage, removeStillImage } from './routes/demo-still.ts';

/**
 * Starts the translations in the language that `public/boot.js` wrote into `<html lang>` before the first paint.
 * Resolves when these areas are loaded, so that the first paint has its texts.
 */
async function startI18n(areas: readonly Area[]): Promise<void> {
  i18next.on('languageChanged', (language) => {
    document.documentElement.lang = language;
  });
  await i18next
    .use(lazyAreas)
    .use(initReactI18next)
    .init({ ...textOptions, lng: resolveLanguage(document.documentElement.lang), ns: areas });
}

/** Shown when the scripts of a page did not load. */
function NotLoaded() {
  const { t } = useTranslation('common');
  return (
    <main className={styles.page}>
      <p className={styles.text} role="alert">
        {t('notLoaded.text')}
      </p>
      <Button variant="primary" onClick={() => location.reload()}>
        {t('tryAgain')}
      </Button>
    </main>
  );
}

const element = rootElement();
let root: Root | null = null;

followTheme();
followVersion(servedVersion);
const isLanding = /^\/(landing\/?)?$/i.test(location.pathname);
// A cache may have served markup in another language than the visitor's: it is rendered anew.
const isPrerendered = isLanding && element.dataset.language === document.documentElement.lang;
// Only visitors of other pages load the router and its dependencies.
if (isLanding) {
  // A signed-in user changes the page right after hydration. All parts must be loaded by then, or React would render them anew.
  const loadsAll = isPrerendered && hasStoredTokens();
  const texts = startI18n(loadsAll ? ['common', 'landing', 'offer'] : ['common', 'landing']);
  // Parts that did not load are loaded again by the page itself.
  const later = loadsAll && laterParts().catch(() => {});
  const loading = landing().catch(() => null);
  await texts;
  await later;
  const page = await loading;
  if (page) show(page, isPrerendered);
  else show(<NotLoaded />);
} else {
  // The largest page loads in parallel with its dependencies. The page itself loads it again after a failure.
  if (location.pathname === '/test-project' && hasStoredTokens()) {
    void import('./routes/server-workspace.tsx').catch(() => {});
    void import('../session/auth-calls-over-http.ts').catch(() => {});
  }
  removeForeignStillImage();
  // The engine loads in parallel with its page.
  if (isDemoPath(location.pathname)) prestartDemoWorker();
  const scripts = loadBehindStillImage(() =>
    importPart(() => Promise.all([import('./router.tsx'), import('./routes/page-loading.tsx')])),
  ).catch(() => null);
  await startI18n(['common']);
  const loaded = await scripts;
  if (loaded) {
    const [{ Router, loadPage }, { PageLoading }] = loaded;
    // The picture hides the loading state.
    if (!hasStillImage()) show(<PageLoading />);
    // The page itself loads failed parts again and shows the failure.
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
  // If the router does not load, after a server update or without a network, the browser loads the whole page.
  routed().then(show, () => location.reload());
}

async function routed(): Promise<ReactNode> {
  const { Router } = await importPart(() => import('./router.tsx'));
  return <Router />;
}

function show(page: ReactNode, hydrates = false): void {
  const framed = (
    <StrictMode>
      <Providers>{page}</Providers>
    </StrictMode>
  );
  // As a transition: React renders it in slices, between which the page handles input.
  startTransition(() => {
    if (root) root.render(framed);
    else begin(framed, hydrates);
  });
}

/** Hydrates the page's markup if it has the same content; else replaces it. */
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
