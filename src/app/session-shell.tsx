import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { SessionProvider, useSession } from '../session/session-provider.tsx';
import { Spinner } from '../ui/controls/spinner.tsx';
import { useTranslation } from '../ui/i18n/use-translation.ts';
import { lazyPart } from '../ui/loading/lazy-part.tsx';
import { useNavigation } from '../ui/navigation.tsx';
import styles from './login/login-loading.module.css';
import { LoginNotLoaded } from './login/login-not-loaded.tsx';
import { useFollowAccountLanguage } from './routes/follow-account-language.ts';
import { canRedirectToForbidden, forbiddenPath } from './routes/notices/forbidden-path.ts';

const LoginModal = lazyPart(() => import('./login/login-modal.tsx').then((file) => file.LoginModal), LoginNotLoaded);

/** The frame of pages with an account: the session around them, and the sign-in window. */
export function SessionShell({ children }: { children: ReactNode }) {
  const { language } = useTranslation('common');
  return (
    <SessionProvider language={language}>
      {children}
      <FollowsAccountLanguage />
      <LoginWhenAsked />
      <LeadsAwayWhenForbidden />
    </SessionProvider>
  );
}

function FollowsAccountLanguage() {
  useFollowAccountLanguage();
  return null;
}

function LoginWhenAsked() {
  const { auth } = useSession();
  if (!auth.showLoginModal) return null;
  return (
    <Suspense fallback={<LoginLoading />}>
      <LoginModal />
    </Suspense>
  );
}

/** Redirects an account to the forbidden page when its server refuses a call about the account itself. R8 */
function LeadsAwayWhenForbidden() {
  const { forbiddenCount } = useSession().auth;
  const navigation = useNavigation();
  const latest = useRef(navigation);
  latest.current = navigation;
  useEffect(() => {
    if (forbiddenCount > 0 && canRedirectToForbidden(latest.current.path)) latest.current.go(forbiddenPath, { replace: true });
  }, [forbiddenCount]);
  return null;
}

/** The placeholder of the sign-in window while its script loads. It becomes visible only after a short delay. */
function LoginLoading() {
  const { t } = useTranslation('common');
  return (
    <div className={styles.coming} role="status" data-testid="login-coming">
      <Spinner size={28} label={t('loading')} />
    </div>
  );
}
