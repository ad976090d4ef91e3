import { LandingPage } from '../../landing/landing-page.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { useLandingHead } from '../use-landing-head.ts';
import { usePageTitle } from '../use-page-title.ts';

/** The landing page at `/` and at `/landing`, which names `/` as the one to remember. */
export function LandingRoute() {
  const { t } = useTranslation('landing');
  usePageTitle(t('hero.motto'));
  useLandingHead(t('hero.lead'));
  return <LandingPage />;
}
