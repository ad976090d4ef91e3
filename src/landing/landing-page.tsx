import { useEffect } from 'react';
import { useTranslation } from '../ui/i18n/use-translation.ts';
import { Advantages } from './advantages.tsx';
import { AgentsAndRoles } from './agents-and-roles.tsx';
import { Audience } from './audience.tsx';
import { ChosenPlanProvider } from './chosen-plan.tsx';
import { Comparison } from './comparison.tsx';
import { PublicDemoFlow } from './demo/public-demo-flow.tsx';
import { Faq } from './faq.tsx';
import { Features } from './features.tsx';
import { FinalCall } from './final-call.tsx';
import { Hero } from './hero.tsx';
import { HowItWorks } from './how-it-works.tsx';
import { LandingFooter } from './landing-footer.tsx';
import { LandingHeader } from './landing-header.tsx';
import styles from './landing-page.module.css';
import { Pricing } from './pricing.tsx';
import { Testimonials } from './testimonials.tsx';

/** The page between header and footer, in its order: taking a section off the page is taking it out of this list. */
const sections = [
  { key: 'how-it-works', Part: HowItWorks },
  { key: 'agents', Part: AgentsAndRoles },
  { key: 'features', Part: Features },
  { key: 'audience', Part: Audience },
  { key: 'demo', Part: PublicDemoFlow },
  { key: 'advantages', Part: Advantages },
  { key: 'comparison', Part: Comparison },
  { key: 'pricing', Part: Pricing },
  { key: 'testimonials', Part: Testimonials },
  { key: 'faq', Part: Faq },
  { key: 'final-call', Part: FinalCall },
] as const;

/** The public page. */
export function LandingPage() {
  const { t } = useTranslation('common');
  useEffect(showAnchor, []);
  return (
    <div className={styles.page}>
      <a href="#content" className={styles.skip}>
        {t('skip')}
      </a>
      <LandingHeader />
      <main id="content">
        <Hero />
        <ChosenPlanProvider>
          {sections.map(({ key, Part }) => (
            <Part key={key} />
          ))}
        </ChosenPlanProvider>
      </main>
      <LandingFooter />
    </div>
  );
}

/** The browser looked for the address's anchor before the page was there. */
function showAnchor() {
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}
