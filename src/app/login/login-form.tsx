import { useImmer } from 'use-immer';
import { type Credentials, credentials } from '../../../contract/account.ts';
import type { LoginProblem } from '../../session/login-problem.ts';
import type { SignInResult } from '../../session/session.ts';
import { useSession } from '../../session/session-provider.tsx';
import { PasswordField } from '../../ui/controls/fields/password-field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { useZodForm } from '../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { EmailField } from './email-field.tsx';
import { LoginErrorBox } from './login-error-box.tsx';
import styles from './login-modal.module.css';

export type AccountFormProps = { email: string; onEmail: (email: string) => void; onDone: (result: SignInResult) => void };

/** Signs in with email and password. The problem of a refused sign-in is shown above the button. */
export function LoginForm({ email, onEmail, onDone, onForgot }: AccountFormProps & { onForgot: () => void }) {
  const { t } = useTranslation('auth');
  const { login } = useSession();
  /** `outcomes` names the box of each outcome. The form's own count includes submits that sent nothing. */
  const [{ problem, outcomes }, update] = useImmer<{ problem: LoginProblem | null; outcomes: number }>({ problem: null, outcomes: 0 });
  const form = useZodForm(credentials, { email, password: '' });
  const { errors, isSubmitting } = form.formState;

  const submit = async (values: Credentials) => {
    const result = await login(values);
    update((state) => {
      state.problem = result.ok ? null : result.problem;
      state.outcomes += 1;
    });
    onDone(result);
  };

  return (
    <Form
      {...{ form, size: 'xxl', wide: true, className: styles.form }}
      onSubmit={submit}
      submit={isSubmitting ? t('signIn.busy') : t('common:signIn')}
    >
      <EmailField
        {...form.register('email', { onChange: (event) => onEmail(event.target.value) })}
        filled={form.watch('email') !== ''}
        wrong={errors.email !== undefined}
      />
      <PasswordField
        {...form.register('password')}
        label={t('password.label')}
        size="xl"
        autoComplete="current-password"
        required
        aside={
          <button type="button" className={styles.aside} onClick={onForgot}>
            {t('forgot.link')}
          </button>
        }
        error={errors.password && t(errors.password.type === 'too_big' ? 'password.long' : 'password.required')}
        invalid={problem?.code === 'invalidCredentials'}
      />
      {/* It stays until there is another outcome: the window would shrink from under a second press. */}
      {problem && <LoginErrorBox key={outcomes} problem={problem} title={t('error.signInTitle')} />}
    </Form>
  );
}
