import { useSession } from '../../session/session-provider.tsx';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { buttonClass } from '../../ui/controls/buttons/button-class.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { ArrowRight, BadgeCheck, Check, Clock } from '../../ui/icons/icons.ts';
import { PageLink } from '../../ui/navigation.tsx';
import { useIsHydrated } from '../../ui/use-is-hydrated.ts';
import { demoLink } from '../landing-links.ts';
import { LeadForm } from '../lead/lead-form.tsx';
import { claims } from './claims.ts';
import styles from './final-call.module.css';

const reasons = ['team', 'own', 'kept'] as const;

/** The way in, once more, and the form that asks for a demo. */
export function FinalCall() {
  const { t } = useTranslation('landing');
  const { auth, openLogin } = useSession();
  return (
    <section
      id="request-demo-form"
      className={styles.section}
      aria-labelledby="final-call-title"
      data-waiting={!useIsHydrated() || undefined}
    >
      <div className={styles.card}>
        <div>
          <h2 id="final-call-title" className={styles.title}>
            {t('finalCTA.title')}
          </h2>
          <p className={styles.lead}>{t('finalCTA.lead')}</p>
          <ul className={styles.reasons}>
            {reasons.map((reason) => (
              <li key={reason}>
                <Check size={18} />
                {t(`finalCTA.reasons.${reason}`, { count: claims.agentsOnCanvas })}
              </li>
            ))}
            <li>
              <Clock size={18} />
              {t('finalCTA.reply', claims.replyDays)}
            </li>
            {claims.betaSpots !== null && (
              <li>
                <BadgeCheck size={18} />
                {t('hero.beta', { count: claims.betaSpots })}
              </li>
            )}
          </ul>
          <div className={styles.actions}>
            {auth.isLoggedIn ? (
              <PageLink to="/test-project" className={buttonClass({ size: 'xl' })}>
                {t('header.open')}
                <ArrowRight size={18} />
              </PageLink>
            ) : (
              <>
                <Button size="xl" wide onClick={() => openLogin('signUp')}>
                  {t('common:createAccount')}
                </Button>
                <Button size="xl" wide variant="ghost" onClick={() => openLogin()}>
                  {t('common:signIn')}
                </Button>
              </>
            )}
          </div>
          <a href={demoLink} className={styles.demo}>
            {t('finalCTA.demo')}
            <ArrowRight size={16} />
          </a>
        </div>
        <LeadForm />
      </div>
    </section>
  );
}
