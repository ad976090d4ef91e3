import { type ComponentType, type ReactNode, Suspense } from 'react';
import { useTranslation } from '../ui/i18n/use-translation.ts';
import { lazyPart } from '../ui/loading/lazy-part.tsx';
import { useTakenOver } from '../ui/use-taken-over.ts';
import { keptMarkup } from './kept-markup.tsx';
import { LandingHeader } from './landing-header.tsx';
import styles from './landing-page.module.css';
import { Hero } from './sections/hero.tsx';

/** The parts of the page whose scripts come after the first screen: the picture in it, and what is below it. */
export type LandingParts = { Picture: ComponentType; Sections: ComponentType; Footer: ComponentType };

const lateParts: LandingParts = {
  Picture: lazyPart(() => import('./picture/product-picture.tsx').then((file) => file.ProductPicture), keptMarkup('picture')),
  Sections: lazyPart(() => import('./landing-sections.tsx').then((file) => file.LandingSections), keptMarkup('sections')),
  Footer: lazyPart(() => import('./landing-footer.tsx').then((file) => file.LandingFooter), keptMarkup('footer')),
};

/** The public page: its first screen at once, the other parts as soon as that is drawn, unless they are given. */
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

/** On its own, since what it holds must stay as it is while parts of that are still to be taken over: they would be drawn anew. */
function Frame({ children }: { children: ReactNode }) {
  return (
    <div className={styles.page} data-waiting={!useTakenOver() || undefined}>
      {children}
    </div>
  );
}
