import { type ComponentType, type ReactNode, Suspense } from 'react';
import { useTranslation } from '../ui/i18n/use-translation.ts';
import { lazyPart } from '../ui/loading/lazy-part.tsx';
import { useIsHydrated } from '../ui/use-is-hydrated.ts';
import { keptMarkup } from './kept-markup.tsx';
import { LandingHeader } from './landing-header.tsx';
import styles from './landing-page.module.css';
import { Hero } from './sections/hero.tsx';

/** The parts of the page whose scripts load after the first screen. */
export type LandingParts = { Picture: ComponentType; Sections: ComponentType; Footer: ComponentType };

const lateParts: LandingParts = {
  Picture: lazyPart(() => import('./picture/product-picture.tsx').then((file) => file.ProductPicture), keptMarkup('picture')),
  Sections: lazyPart(() => import('./landing-sections.tsx').then((file) => file.LandingSections), keptMarkup('sections')),
  Footer: lazyPart(() => import('./landing-footer.tsx').then((file) => file.LandingFooter), keptMarkup('footer')),
};

/** The landing page: its first screen at once, the other parts after its first paint, unless they are given. */
export function LandingPage({ parts }: { parts?: LandingParts | undefined }) {
  const { t } = useTranslation('common');
  const { Picture, Sections, Footer } = parts ?? lateParts;
  return (
    <Frame>
      <a href="#content" className={styles.skip}>
        {t('skip')}
      </a>
      <LandingHeader />
      <main id="content">
        <Hero Picture={Picture} />
        <div className={styles.part} data-part="sections">
          <Suspense fallback={<div className={styles.coming} />}>
            <Sections />
          </Suspense>
        </div>
      </main>
      <div className={styles.part} data-part="footer">
        <Suspense>
          <Footer />
        </Suspense>
      </div>
    </Frame>
  );
}

/** A component of its own: a new render would discard parts that are not hydrated yet. */
function Frame({ children }: { children: ReactNode }) {
  return (
    <div className={styles.page} data-waiting={!useIsHydrated() || undefined}>
      {children}
    </div>
  );
}
