import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { AuthConfig } from '../../../contract/account.ts';
import type { SignInResult } from '../../session/session.ts';
import { useSession } from '../../session/session-provider.tsx';
import { Modal } from '../../ui/controls/modal.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Logo } from '../../ui/logo.tsx';
import { LoginForm } from './login-form.tsx';
import styles from './login-modal.module.css';
import { SignUpForm } from './sign-up-form.tsx';

/** Signs in, or up; whoever succeeds goes on to the workspace. */
export function LoginModal() {
  const { t } = useTranslation('auth');
  const { auth, closeLogin, serverConfig } = useSession();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [mode, setMode] = useState(auth.loginMode);
  const [config, setConfig] = useState<AuthConfig | null>(null);
  // Kept between the two forms, so that nobody types it twice.
  const [email, setEmail] = useState('');

  // While the form is filled in, the workspace behind it arrives.
  useEffect(() => {
    void import('../routes/server-workspace.tsx').catch(() => undefined);
  }, []);

  useEffect(() => {
    let here = true;
    void serverConfig().then((known) => here && setConfig(known));
    return () => {
      here = false;
    };
  }, [serverConfig]);

  const finish = (result: SignInResult) => {
    if (!result.ok) return;
    closeLogin();
    // Somebody whose session had ended signs in above the workspace, which stays as it is.
    if (pathname !== '/test-project') navigate('/test-project');
  };
  const closed = config?.registration === 'closed';

  return (
    <Modal open onClose={closeLogin} mark={<Logo size={32} />} title={t(`${mode}.title`)} description={t(`${mode}.hint`)}>
      {mode === 'signIn' ? (
        <LoginForm email={email} onEmail={setEmail} onDone={finish} />
      ) : (
        <SignUpForm email={email} onEmail={setEmail} onDone={finish} minLength={config?.passwordRule.minLength} />
      )}
      <p className={styles.other}>
        {mode === 'signIn' && closed ? (
          t('signUp.closed')
        ) : (
          <>
            {t(mode === 'signIn' ? 'signIn.noAccount' : 'signUp.haveAccount')}{' '}
            <button type="button" className={styles.switch} onClick={() => setMode(mode === 'signIn' ? 'signUp' : 'signIn')}>
              {t(mode === 'signIn' ? 'signIn.toSignUp' : 'signUp.toSignIn')}
            </button>
          </>
        )}
      </p>
    </Modal>
  );
}
