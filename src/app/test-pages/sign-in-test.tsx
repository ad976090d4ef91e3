import { type ReactNode, useState } from 'react';
import { z } from 'zod';
import { useSession } from '../../session/session-provider.tsx';
import { Form } from '../../ui/form/form.tsx';
import { FormText } from '../../ui/form/form-fields.tsx';
import { useZodForm } from '../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { failure, type Outcome, outcomeOf } from './outcome.ts';
import { ResultPanel } from './result-panel.tsx';
import { readStoredTokens } from './stored-tokens.ts';
import styles from './test-page.module.css';

/** The placeholder names an admin's address. It is not filled in, because there is no such account. */
const emailHint = 'admin@example.com';

const credentials = z.object({ email: z.string().trim().min(1), password: z.string().min(1) });

type Notice = { ok: boolean; text: string };

/** Signs in through the page's session and shows the result. `children` are further buttons. P5.04 P8.05 */
export function SignInTest({ children }: { children?: ReactNode }) {
  const { t } = useTranslation('developer');
  const { t: auth } = useTranslation('auth');
  const { t: common } = useTranslation('common');
  const { login } = useSession();
  const form = useZodForm(credentials, { email: '', password: '' });
  const [notice, setNotice] = useState<Notice | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  const signIn = async (given: z.output<typeof credentials>) => {
    setNotice(null);
    const result = await login(given);
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
      <Form
        {...{ form, className: styles.form, more: children }}
        onSubmit={signIn}
        onWrong={() => setNotice({ ok: false, text: t('bothRequired') })}
        submit={t(form.formState.isSubmitting ? 'signingIn' : 'common:signIn')}
      >
        <FormText
          {...{ form, name: 'email', type: 'email', autoComplete: 'username' }}
          label={auth('email.label')}
          placeholder={emailHint}
        />
        <FormText
          {...{ form, name: 'password', type: 'password', autoComplete: 'current-password' }}
          label={auth('password.label')}
          placeholder={t('passwordHint')}
        />
      </Form>
      <p className={styles.notice} role="alert" data-outcome={notice?.ok === false ? 'failed' : 'passed'}>
        {notice?.text}
      </p>
      <ResultPanel title={t('signInResult')} outcome={outcome} />
    </>
  );
}
