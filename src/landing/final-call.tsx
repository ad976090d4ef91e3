import { Link } from 'react-router-dom';
import { useSession } from '../session/session-provider.tsx';
import { Button } from '../ui/controls/button.tsx';
import { buttonClass } from '../ui/controls/button-class.ts';
import { useTranslation } from '../ui/i18n/use-translation.ts';
import { ArrowRight, Check } from '../ui/icons.ts';
import styles from './final-call.module.css';

const reasons = ['team', 'own', 'kept'] as const;

/** The way in, once more. */
export function FinalCall() {
  const { t } = useTranslation('landing');
  const { auth, openLogin } = useSession();
  return (
    <section className={styles.section} aria-labelledby="final-call-title">
      <div className={styles.card}>
        <div>
          <h2 id="final-call-title" className={styles.title}>
            {t('finalCTA.title')}
          </h2>
          <p className={styles.lead}>{t('finalCTA.lead')}</p>
          <ul className={styles.reasons}>
            {reasons.map((reason) => (
              <li key={reason}>
                <Check size={18} aria-hidden />
                {t(`finalCTA.reasons.${reason}`)}
              </li>
            ))}
          </ul>
        </div>
        <div className={styles.actions}>
          {auth.isLoggedIn ? (
            <Link to="/test-project" className={buttonClass({ variant: 'primary', size: 'xxl' })}>
              {t('header.open')}
              <ArrowRight size={18} aria-hidden />
            </Link>
          ) : (
            <>
              <Button variant="primary" size="xxl" wide onClick={() => openLogin('signUp')}>
                {t('finalCTA.signUp')}
              </Button>
              <Button size="xxl" wide onClick={() => openLogin()}>
                {t('finalCTA.signIn')}
              </Button>
            </>
          )}
        </div>
      </div>
    </section>
  );
}
