import '@fontsource-variable/inter/opsz.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '../ui/base.css';
import '../ui/tokens.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startI18n } from '../ui/i18n/start-i18n.ts';
import { followTheme } from '../ui/theme.tsx';
import { Providers } from './providers.tsx';
import { Router } from './router.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element');

followTheme();
await startI18n();
createRoot(root).render(
  <StrictMode>
    <Providers>
      <Router />
    </Providers>
  </StrictMode>,
);
