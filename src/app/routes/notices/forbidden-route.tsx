import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useNavigationType } from 'react-router-dom';
import { useSession } from '../../../session/session-provider.tsx';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { buttonClass } from '../../../ui/controls/buttons/button-class.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { CircleAlert, House, Lock, LogIn, RotateCcw } from '../../../ui/icons/icons.ts';
import { usePageTitle } from '../../../ui/use-page-title.ts';
import styles from './forbidden-route.module.css';
import { NoticePage } from './notice-page.tsx';

type Attempt = 'none' | 'under-way' | 'restored' | 'ended' | 'absent';

/** Access denied. On opening it tries to restore the session, and after a success opens the landing page. A signed-in user stays here. */
export function ForbiddenRoute() {
  const { t } = useTranslation('common');
  const { auth, restore, hasTokens, openLogin } = useSession();
  const navigate = useNavigate();
  const opened = useNavigationType() === 'POP';
  const [attempt, setAttempt] = useState<Attempt>('none');
  const { isLoggedIn, user, forbiddenCount } = auth;
  const forbiddenBefore = useRef(forbiddenCount);
  usePageTitle(t('forbidden.title'));

  const tryToRestore = async () => {
    if (!hasTokens()) {
      setAttempt('absent');
      return;
    }
    setAttempt('under-way');
    forbiddenBefore.current = forbiddenCount;
    setAttempt((await restore()) ? 'restored' : 'ended');
  };

  // A restored session that is still refused its own account stays here, since any other page would redirect back.
  useEffect(() => {
    if (attempt !== 'restored') return;
    if (forbiddenCount === forbiddenBefore.current) navigate('/', { replace: true });
    else setAttempt('none');
  }, [attempt, forbiddenCount, navigate]);

  // Only on opening. A user who was redirected here stays; for a page opened by its URL the session may already be restored.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only on opening
  useEffect(() => {
    if (!isLoggedIn) void tryToRestore();
    else if (opened) navigate('/', { replace: true });
  }, []);

  return (
    <NoticePage
      icon={<Lock size={18} aria-hidden />}
      kicker="403"
      title={t('forbidden.title')}
      text={t('forbidden.text')}
      note={
        isLoggedIn && user ? (
          <p className={styles.plain}>{t('forbidden.signedIn', { name: user.name || user.email })}</p>
        ) : attempt === 'under-way' ? (
          <p className={styles.plain}>{t('forbidden.restoring')}</p>
        ) : attempt === 'none' || attempt === 'restored' ? null : (
          <p className={styles.warning}>
            <CircleAlert size={17} aria-hidden />
            {t(`forbidden.${attempt}`)}
          </p>
        )
      }
    >
      <Button
        variant="primary"
        size="xl"
        icon={<RotateCcw size={17} aria-hidden />}
        busy={attempt === 'under-way'}
        onClick={() => void tryToRestore()}
      >
        {t('forbidden.restore')}
      </Button>
      <Button size="xl" icon={<LogIn size={17} aria-hidden />} onClick={() => openLogin()}>
        {t('signIn')}
      </Button>
      <Link to="/" className={buttonClass({ variant: 'ghost', size: 'xl' })}>
        <House size={17} aria-hidden />
        {t('home')}
      </Link>
    </NoticePage>
  );
}
