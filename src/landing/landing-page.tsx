import { useTranslation } from '../ui/i18n/use-translation.ts';
import { AgentsAndRoles } from './agents-and-roles.tsx';
import { FinalCall } from './final-call.tsx';
import { Hero } from './hero.tsx';
import { HowItWorks } from './how-it-works.tsx';
import { LandingFooter } from './landing-footer.tsx';
import { LandingHeader } from './landing-header.tsx';
import styles from './landing-page.module.css';

/** The page between header and footer, in its order: taking a section off the page is taking it out of this list. */
const sections = [HowItWorks, AgentsAndRoles, FinalCall] as const;

/** The public page. */
export function LandingPage() {
  const { t } = useTranslation('common');
  return (
    <div className={styles.page}>
      <a href="#content" className={styles.skip}>
        {t('skip')}
      </a>
      <LandingHeader />
      <main id="content">
        <Hero />
        {sections.map((Section) => (
          <Section key={Section.name} />
        ))}
      </main>
      <LandingFooter />
    </div>
  );
}
