import { useMemo, useState } from 'react';
import { type PasswordChange, passwordChange, passwordRule } from '../../../../contract/account.ts';
import type { CallFailure } from '../../../session/auth-calls.ts';
import { useSession } from '../../../session/session-provider.tsx';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { PasswordField } from '../../../ui/controls/fields/password-field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { useZodForm } from '../../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { CircleCheck } from '../../../ui/icons/icons.ts';
import styles from './account.module.css';
import { callProblem } from './call-problem.ts';
import { FormProblem } from './form-problem.tsx';

const empty = { currentPassword: '', newPassword: '' };

/** Replaces the known password; every other session of the account ends. R12 */
export function PasswordForm() {
  const { t } = useTranslation('account');
  const { t: word } = useTranslation('auth');
  const { auth, changePassword } = useSession();
  const email = auth.user?.email ?? '';
  const schema = useMemo(
    () => passwordChange.refine(({ newPassword }) => !isEmail(newPassword, email), { path: ['newPassword'] }),
    [email],
  );
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const [isChanged, setChanged] = useState(false);
  const form = useZodForm(schema, empty);
  const { errors, isSubmitting } = form.formState;

  const submit = async (values: PasswordChange) => {
    setFailure(null);
    if (values.newPassword === values.currentPassword) {
      form.setError('newPassword', { type: 'server', message: t('password.same') });
      return;
    }
    const answer = await changePassword(values);
    if (answer.ok) {
      form.reset(empty);
      setChanged(true);
      return;
    }
    const problem = callProblem(answer.failure);
    if (problem.kind === 'field' && problem.path in values) {
      form.setError(problem.path as keyof typeof values, { type: 'server', message: problem.message });
    } else setFailure(answer.failure);
  };

  const wrong = errors.newPassword;
  const { minLength, maxLength } = passwordRule;
  const showWrong = () => {
    if (!wrong) return undefined;
    if (wrong.type === 'server') return wrong.message;
    if (wrong.type === 'custom') return t('password.isEmail');
    return word(wrong.type === 'too_big' ? 'password.long' : 'password.short', { count: minLength });
  };
  return (
    <Form {...{ form, className: styles.form }} onSubmit={submit} onChange={() => setChanged(false)}>
      {/* Tells password managers whose password this is. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        {...form.register('currentPassword')}
        label={t('words:currentPassword')}
        size="xl"
        autoComplete="current-password"
        required
        error={
          errors.currentPassword &&
          (errors.currentPassword.type === 'server' ? errors.currentPassword.message : t('words:currentPasswordRequired'))
        }
      />
      <PasswordField
        {...form.register('newPassword')}
        label={t('words:newPassword')}
        size="xl"
        autoComplete="new-password"
        required
        hint={wrong ? undefined : t('password.rule', { min: minLength, max: maxLength })}
        error={showWrong()}
      />
      <p className={styles.note}>{t('password.note')}</p>
      <FormProblem failure={failure} />
      <Button type="submit" variant="primary" size="xl" busy={isSubmitting}>
        {t('password.change')}
      </Button>
      <p className={styles.done} role="status">
        {isChanged && (
          <>
            <CircleCheck size={16} aria-hidden />
            {t('password.changed')}
          </>
        )}
      </p>
    </Form>
  );
}

/** The server's rule: the password may be neither the email address nor its part before the @. */
function isEmail(password: string, email: string): boolean {
  const plain = password.trim().toLowerCase();
  return email !== '' && (plain === email || plain === email.split('@')[0]);
}
