import { useState } from 'react';
import { passwordReset, passwordRule } from '../../../contract/account.ts';
import { emailProblem, type LoginProblem } from '../../session/login-problem.ts';
import { useSession } from '../../session/session-provider.tsx';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { PasswordField } from '../../ui/controls/fields/password-field.tsx';
import { useZodForm } from '../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { LoginErrorBox } from './login-error-box.tsx';
import styles from './login-modal.module.css';

/** Sets a new password with the token of an email. A token that has expired or was used is `spent`. */
export function NewPasswordForm({ token, onDone }: { token: string; onDone: (outcome: 'done' | 'spent') => void }) {
  const { t } = useTranslation('auth');
  const { resetPassword, signOutIfRefused } = useSession();
  const [problem, setProblem] = useState<LoginProblem | null>(null);
  const { register, handleSubmit, setError, formState } = useZodForm(passwordReset, { token, newPassword: '' });
  const { errors, isSubmitting } = formState;

  /** A malformed token counts as `spent`: it has no field to show the error at. */
  const leave = (wrong: { token?: unknown }) => wrong.token && onDone('spent');
  const submit = handleSubmit(async (values) => {
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
    if (ofPassword) setError('newPassword', { type: 'server', message: ofPassword.message }, { shouldFocus: true });
    else if (fields?.some(({ path }) => path === 'token')) onDone('spent');
    else setProblem(emailProblem(answer.failure));
  }, leave);

  const wrong = errors.newPassword;
  const { minLength } = passwordRule;
  return (
    <form className={`${styles.form} ${styles.alone}`} onSubmit={submit} noValidate>
      <PasswordField
        {...register('newPassword')}
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
      <Button type="submit" variant="primary" size="xxl" wide busy={isSubmitting}>
        {isSubmitting ? t('reset.busy') : t('reset.submit')}
      </Button>
    </form>
  );
}
