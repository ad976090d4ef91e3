import { useEffect } from 'react';
import { LandingPage } from '../../landing/landing-page.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { usePageTitle } from '../use-page-title.ts';

/** The landing page at `/` and at `/landing`, which names `/` as the one to remember. */
export function LandingRoute() {
  const { t } = useTranslation('landing');
  usePageTitle(t('hero.motto'));
  useEffect(() => {
    const link = document.createElement('link');
    link.rel = 'canonical';
    link.href = `${location.origin}/`;
    document.head.append(link);
    return () => link.remove();
  }, []);
  return <LandingPage />;
}
