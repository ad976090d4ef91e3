import { LandingPage, type LandingParts } from '../../landing/landing-page.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { usePageTitle } from '../../ui/use-page-title.ts';

/** The landing page at `/` and at `/landing`. */
export function LandingRoute({ parts }: { parts?: LandingParts | undefined }) {
  const { t } = useTranslation('landing');
  usePageTitle(t('hero.motto'));
  return <LandingPage parts={parts} />;
}
