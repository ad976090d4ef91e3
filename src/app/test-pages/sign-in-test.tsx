import { type ReactNode, useState } from 'react';
import { useSession } from '../../session/session-provider.tsx';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { TextField } from '../../ui/controls/fields/text-field.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { failure, type Outcome, outcomeOf } from './outcome.ts';
import { ResultPanel } from './result-panel.tsx';
import { readStoredTokens } from './stored-tokens.ts';
import styles from './test-page.module.css';

/** The placeholder names an admin's address. It is not filled in, because there is no such account. */
const emailHint = 'admin@example.com';

type Notice = { ok: boolean; text: string };

/** Signs in through the page's session and shows the result. `children` are further buttons. P5.04 P8.05 */
export function SignInTest({ children }: { children?: ReactNode }) {
  const { t } = useTranslation('developer');
  const { t: auth } = useTranslation('auth');
  const { t: common } = useTranslation('common');
  const { login } = useSession();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [notice, setNotice] = useState<Notice | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  const signIn = async () => {
    if (busy) return;
    if (email.trim() === '' || password === '') {
      setNotice({ ok: false, text: t('bothRequired') });
      return;
    }
    setBusy(true);
    setNotice(null);
    const result = await login({ email: email.trim(), password });
    setBusy(false);
    if (result.ok) {
      setNotice({ ok: true, text: t('signedIn') });
      setOutcome(outcomeOf(() => ({ user: result.user, ...readStoredTokens() })));
      return;
    }
    const { problem } = result;
    const error =
      problem.code === 'other' ? problem.message : problem.code === 'network' ? common('connection.text') : auth(`error.${problem.code}`);
    setNotice({ ok: false, text: t('signInFailed', { error }) });
    setOutcome(failure({ ...problem, message: error }));
  };

  return (
    <>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void signIn();
        }}
      >
        <TextField
          label={auth('email.label')}
          type="email"
          autoComplete="username"
          placeholder={emailHint}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <TextField
          label={auth('password.label')}
          type="password"
          autoComplete="current-password"
          placeholder={t('passwordHint')}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <div className={styles.buttons}>
          <Button variant="primary" type="submit" busy={busy}>
            {t(busy ? 'signingIn' : 'common:signIn')}
          </Button>
          {children}
        </div>
      </form>
      <p className={styles.notice} role="alert" data-outcome={notice?.ok === false ? 'failed' : 'passed'}>
        {notice?.text}
      </p>
      <ResultPanel title={t('signInResult')} outcome={outcome} />
    </>
  );
}
