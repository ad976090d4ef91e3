import '@fontsource-variable/inter/opsz.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '../ui/base.css';
import '../ui/tokens.css';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startI18n } from '../ui/i18n/start-i18n.ts';
import { followTheme } from '../ui/theme.tsx';
import { Providers } from './providers.tsx';

const element = document.getElementById('root');
if (!element) throw new Error('The page has no root element');
const root = createRoot(element);

followTheme();
// The router and what it needs are loaded by visitors who go on from the landing page, or begin elsewhere.
const [page] = await Promise.all([/^\/(landing\/?)?$/.test(location.pathname) ? landing() : routed(), startI18n()]);
show(page);

async function landing(): Promise<ReactNode> {
  const { LandingApp } = await import('./landing-app.tsx');
  return <LandingApp leave={leave} />;
}

function leave(): void {
  // What cannot be loaded, after an update of the server or without a network, is asked for as a whole page.
  routed().then(show, () => location.reload());
}

async function routed(): Promise<ReactNode> {
  const { Router } = await import('./router.tsx');
  return <Router />;
}

function show(page: ReactNode): void {
  root.render(
    <StrictMode>
      <Providers>{page}</Providers>
    </StrictMode>,
  );
}
