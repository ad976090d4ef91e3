import { Link } from 'react-router-dom';
import { useSession } from '../session/session-provider.tsx';
import { Button } from '../ui/controls/button.tsx';
import { buttonClass } from '../ui/controls/button-class.ts';
import { useTranslation } from '../ui/i18n/use-translation.ts';
import { ArrowDown, ArrowRight } from '../ui/icons.ts';
import styles from './hero.module.css';
import { ProductPicture } from './picture/product-picture.tsx';

/** What it is, in two lines and a picture of the product at work. */
export function Hero() {
  const { t } = useTranslation('landing');
  const { auth, openLogin } = useSession();
  return (
    <section className={styles.hero}>
      <div className={styles.words}>
        <h1 className={styles.title}>
          {t('hero.titleFirst')} <br />
          {t('hero.titleSecond')}
        </h1>
        <p className={styles.lead}>{t('hero.lead')}</p>
        <div className={styles.actions}>
          {auth.isLoggedIn ? (
            <Link to="/test-project" className={buttonClass({ variant: 'primary', size: 'xxl' })}>
              {t('header.open')}
              <ArrowRight size={18} aria-hidden />
            </Link>
          ) : (
            <Button variant="primary" size="xxl" onClick={() => openLogin('signUp')}>
              {t('hero.start')}
            </Button>
          )}
          <a href="#how-it-works" className={buttonClass({ size: 'xxl' })}>
            <ArrowDown size={18} aria-hidden />
            {t('howItWorks.kicker')}
          </a>
          <span className={styles.aside}>{t('hero.aside')}</span>
        </div>
      </div>
      <ProductPicture />
    </section>
  );
}
