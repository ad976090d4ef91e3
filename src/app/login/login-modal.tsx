import { useEffect, useState } from 'react';
import type { AuthConfig } from '../../../contract/account.ts';
import type { SignInResult } from '../../session/session.ts';
import { useSession } from '../../session/session-provider.tsx';
import { Modal } from '../../ui/controls/overlays/modal.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Logo } from '../../ui/logo.tsx';
import { useNavigation } from '../../ui/navigation.tsx';
import { ForgotForm } from './forgot-form.tsx';
import { LoginForm } from './login-form.tsx';
import styles from './login-modal.module.css';
import { SignUpForm } from './sign-up-form.tsx';

/** Signs in or up, or requests an email for a forgotten password. After a sign-in it opens the workspace. */
export function LoginModal() {
  const { t } = useTranslation('auth');
  const { auth, closeLogin, serverConfig } = useSession();
  const { path, go } = useNavigation();
  const [mode, setMode] = useState(auth.loginMode);
  const [config, setConfig] = useState<AuthConfig | null>(null);
  // Kept between the forms, so that users type it once.
  const [email, setEmail] = useState('');

  // Loads the workspace while the form is filled in.
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
    // A user whose session has ended signs in over the workspace, which stays open.
    if (path !== '/test-project') go('/test-project');
  };
  const closed = config?.registration === 'closed';

  return (
    <Modal open onClose={closeLogin} mark={<Logo size={32} />} title={t(`${mode}.title`)} description={t(`${mode}.hint`)}>
      {mode === 'signIn' && <LoginForm email={email} onEmail={setEmail} onDone={finish} onForgot={() => setMode('forgot')} />}
      {mode === 'signUp' && <SignUpForm email={email} onEmail={setEmail} onDone={finish} minLength={config?.passwordRule.minLength} />}
      {mode === 'forgot' && <ForgotForm email={email} onEmail={setEmail} />}
      <p className={styles.other}>
        {mode === 'signIn' && closed ? (
          t('signUp.closed')
        ) : (
          <>
            {t(otherForms[mode].question)}{' '}
            <button type="button" className={styles.switch} onClick={() => setMode(otherForms[mode].to)}>
              {t(otherForms[mode].name)}
            </button>
          </>
        )}
      </p>
    </Modal>
  );
}

/** The other form that each form links to. */
const otherForms = {
  signIn: { question: 'signIn.noAccount', name: 'signIn.toSignUp', to: 'signUp' },
  signUp: { question: 'signUp.haveAccount', name: 'signUp.toSignIn', to: 'signIn' },
  forgot: { question: 'forgot.remembered', name: 'forgot.toSignIn', to: 'signIn' },
} as const;
