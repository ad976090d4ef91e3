import { useState } from 'react';
import { type PasswordReset, passwordReset, passwordRule } from '../../../contract/account.ts';
import { emailProblem, type LoginProblem } from '../../session/login-problem.ts';
import { useSession } from '../../session/session-provider.tsx';
import { PasswordField } from '../../ui/controls/fields/password-field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { useZodForm } from '../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { LoginErrorBox } from './login-error-box.tsx';
import styles from './login-modal.module.css';

/** Sets a new password with the token of an email. A token that has expired or was used is `spent`. */
export function NewPasswordForm({ token, onDone }: { token: string; onDone: (outcome: 'done' | 'spent') => void }) {
  const { t } = useTranslation('auth');
  const { resetPassword, signOutIfRefused } = useSession();
  const [problem, setProblem] = useState<LoginProblem | null>(null);
  const form = useZodForm(passwordReset, { token, newPassword: '' });
  const { errors, isSubmitting } = form.formState;

  /** A malformed token counts as `spent`: it has no field to show the error at. */
  const leave = (wrong: { token?: unknown }) => wrong.token && onDone('spent');
  const submit = async (values: PasswordReset) => {
    setProblem(null);
    const answer = await resetPassword(values);
    if (answer.ok) {
      // A session in this browser has ended with all the other sessions of the account.
      await signOutIfRefused();
      onDone('done');
      return;
    }
    const fields = answer.failure.kind === 'refused' ? answer.failure.fields : undefined;
    const ofPassword = fields?.find(({ path }) => path === 'newPassword');
    if (ofPassword) form.setError('newPassword', { type: 'server', message: ofPassword.message });
    else if (fields?.some(({ path }) => path === 'token')) onDone('spent');
    else setProblem(emailProblem(answer.failure));
  };

  const wrong = errors.newPassword;
  const { minLength } = passwordRule;
  return (
    <Form
      {...{ form, size: 'xxl', wide: true, className: `${styles.form} ${styles.alone}` }}
      onSubmit={submit}
      onWrong={leave}
      submit={isSubmitting ? t('reset.busy') : t('reset.submit')}
    >
      <PasswordField
        {...form.register('newPassword')}
        label={t('words:newPassword')}
        size="xl"
        autoComplete="new-password"
        required
        hint={wrong ? undefined : t('password.hint', { count: minLength })}
        error={
          wrong &&
          (wrong.type === 'server' ? wrong.message : t(wrong.type === 'too_big' ? 'password.long' : 'password.short', { count: minLength }))
        }
      />
      {problem && <LoginErrorBox problem={problem} title={t('error.resetTitle')} />}
    </Form>
  );
}
