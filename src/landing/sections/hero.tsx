import { type ComponentType, Suspense } from 'react';
import { useSession } from '../../session/session-provider.tsx';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { buttonClass } from '../../ui/controls/buttons/button-class.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { ArrowRight } from '../../ui/icons/first-icons.ts';
import { PageLink } from '../../ui/navigation.tsx';
import { demoLink, requestLink } from '../landing-links.ts';
import { claims } from './claims.ts';
import styles from './hero.module.css';

/** The product in two lines, and a picture of it at work. */
export function Hero({ Picture }: { Picture: ComponentType }) {
  const { t } = useTranslation('landing');
  const { auth, openLogin } = useSession();
  return (
    <section className={styles.hero}>
      <div className={styles.words}>
        {claims.betaSpots !== null && <p className={styles.beta}>{t('hero.beta', { count: claims.betaSpots })}</p>}
        <h1 className={styles.title}>
          {t('hero.titleFirst')} <br />
          {t('hero.titleSecond')}
        </h1>
        <p className={styles.lead}>{t('hero.lead')}</p>
        <div className={styles.actions}>
          {auth.isLoggedIn ? (
            <PageLink to="/test-project" className={buttonClass({ variant: 'primary', size: 'xxl' })}>
              {t('header.open')}
              <ArrowRight size={18} aria-hidden />
            </PageLink>
          ) : (
            <Button variant="primary" size="xxl" onClick={() => openLogin('signUp')}>
              {t('hero.start')}
            </Button>
          )}
          <a href={requestLink} className={buttonClass({ size: 'xxl' })}>
            {t('requestDemo')}
          </a>
          <a href={demoLink} className={styles.demo}>
            {t('hero.demo')}
            <ArrowRight size={16} aria-hidden />
          </a>
          <span className={styles.aside}>{t('hero.aside', { count: claims.agentsOnCanvas })}</span>
        </div>
      </div>
      <div className={styles.picture} data-part="picture">
        <Suspense fallback={<div className={styles.coming} />}>
          <Picture />
        </Suspense>
      </div>
    </section>
  );
}
