import { lazy, Suspense } from 'react';
import { useTranslation } from '../ui/i18n/use-translation.ts';
import { Hero } from './hero.tsx';
import { LandingHeader } from './landing-header.tsx';
import styles from './landing-page.module.css';

const LandingFooter = lazy(() => import('./landing-footer.tsx').then((file) => ({ default: file.LandingFooter })));
const LandingSections = lazy(() => import('./landing-sections.tsx').then((file) => ({ default: file.LandingSections })));

/** The public page: its first screen at once, the sections below it as soon as that is drawn. */
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
        <Suspense fallback={<div className={styles.coming} />}>
          <LandingSections />
        </Suspense>
      </main>
      <Suspense>
        <LandingFooter />
      </Suspense>
    </div>
  );
}
