import { useCallback, useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { emailProblem, type LoginProblem } from '../../../session/login-problem.ts';
import { useSession } from '../../../session/session-provider.tsx';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { buttonClass } from '../../../ui/controls/buttons/button-class.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { ArrowRight, LogIn, Mail, RotateCcw } from '../../../ui/icons/icons.ts';
import { usePageTitle } from '../../../ui/use-page-title.ts';
import { LoginErrorBox } from '../../login/login-error-box.tsx';
import { AccountNotice } from './account-notice.tsx';

type Outcome = 'done' | 'spent' | 'failed';

/** The target of the link that verifies an email address: verifies it once, without a further press. R12 */
export function VerifyEmailRoute() {
  const { t } = useTranslation('auth');
  const { hasTokens, openLogin } = useSession();
  const [search] = useSearchParams();
  const { outcome, problem, retry } = useVerification(search.get('token') ?? '');
  usePageTitle(t(outcome ? `verify.${outcome}Title` : 'verify.kicker'));

  return (
    <AccountNotice
      icon={<Mail size={18} aria-hidden />}
      kicker={t('verify.kicker')}
      outcome={outcome}
      link={outcome === 'spent' || outcome === 'failed' ? 'cut' : 'whole'}
      title={t(outcome ? `verify.${outcome}Title` : 'verify.title')}
      text={t(outcome ? `verify.${outcome}Text` : 'verify.text')}
      note={problem && <LoginErrorBox problem={problem} title={t('verify.failedTitle')} />}
    >
      {outcome === 'failed' && (
        <Button variant="primary" size="xl" icon={<RotateCcw size={17} aria-hidden />} onClick={retry}>
          {t('words:repeat')}
        </Button>
      )}
      {outcome !== null && outcome !== 'failed' && hasTokens() && (
        <Link to="/test-project" className={buttonClass({ variant: 'primary', size: 'xl' })}>
          <ArrowRight size={17} aria-hidden />
          {t('verify.open')}
        </Link>
      )}
      {outcome !== null && outcome !== 'failed' && !hasTokens() && (
        <Button variant="primary" size="xl" icon={<LogIn size={17} aria-hidden />} onClick={() => openLogin()}>
          {t('common:signIn')}
        </Button>
      )}
    </AccountNotice>
  );
}

/** Sends the token once, and again on `retry`. For a verified account a used token is no problem. */
function useVerification(token: string) {
  const { verifyEmail, loadProfile, hasTokens } = useSession();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [problem, setProblem] = useState<LoginProblem | null>(null);
  const sent = useRef<string | null>(null);

  const verify = useCallback(async () => {
    setProblem(null);
    const answer = token === '' ? null : await verifyEmail(token);
    if (answer && !answer.ok && !(answer.failure.kind === 'refused' && answer.failure.status === 400)) {
      setProblem(emailProblem(answer.failure));
      setOutcome('failed');
      return;
    }
    // The verification may have changed other facts of the account, such as `isStaff`.
    const profile = hasTokens() ? await loadProfile() : null;
    const isVerified = answer?.ok || (profile?.ok && profile.value.emailVerified);
    setOutcome(isVerified ? 'done' : 'spent');
  }, [token, verifyEmail, loadProfile, hasTokens]);

  useEffect(() => {
    if (sent.current === token) return;
    sent.current = token;
    void verify();
  }, [token, verify]);

  return { outcome, problem, retry: () => void verify() };
}
