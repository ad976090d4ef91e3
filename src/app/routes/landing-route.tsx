import { useEffect } from 'react';
import { LandingPage, type LandingParts } from '../../landing/landing-page.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { usePageTitle } from '../use-page-title.ts';

/** The landing page at `/` and at `/landing`. */
export function LandingRoute({ parts }: { parts?: LandingParts | undefined }) {
  const { t } = useTranslation('landing');
  usePageTitle(t('hero.motto'));
  useEffect(() => forgetAddresses, []);
  return <LandingPage parts={parts} />;
}

/** The prerendered page says which address it has, and where it stands in each language; the page shown after it has others. */
function forgetAddresses(): void {
  for (const link of document.querySelectorAll('link[rel=canonical],link[hreflang]')) link.remove();
}
