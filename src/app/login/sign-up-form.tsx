import { useState } from 'react';
import { nameMaxLength, passwordRule, registration } from '../../../contract/account.ts';
import type { LoginProblem } from '../../session/login-problem.ts';
import { useSession } from '../../session/session-provider.tsx';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { PasswordField } from '../../ui/controls/fields/password-field.tsx';
import { TextField } from '../../ui/controls/fields/text-field.tsx';
import { useZodForm } from '../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { EmailField } from './email-field.tsx';
import { LoginErrorBox } from './login-error-box.tsx';
import type { AccountFormProps } from './login-form.tsx';
import styles from './login-modal.module.css';

/** Creates an account with a name, an email and a password, and signs it in. */
export function SignUpForm({
  email,
  onEmail,
  onDone,
  minLength = passwordRule.minLength,
}: AccountFormProps & { minLength?: number | undefined }) {
  const { t } = useTranslation('auth');
  const { register: signUp } = useSession();
  const [problem, setProblem] = useState<LoginProblem | null>(null);
  const [outcomes, setOutcomes] = useState(0);
  const { register, handleSubmit, watch, formState } = useZodForm(registration, { name: '', email, password: '' });
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(
    async (values) => {
      const result = await signUp(values);
      setProblem(result.ok ? null : result.problem);
      setOutcomes((before) => before + 1);
      onDone(result);
    },
    () => setProblem(null),
  );

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextField
        {...register('name')}
        label={t('words:givenName')}
        size="xl"
        autoComplete="name"
        maxLength={nameMaxLength}
        placeholder={t('name.example')}
        required
        error={errors.name && t('name.required')}
      />
      <EmailField
        {...register('email', { onChange: (event) => onEmail(event.target.value) })}
        filled={watch('email') !== ''}
        wrong={errors.email !== undefined}
      />
      <PasswordField
        {...register('password')}
        label={t('password.label')}
        size="xl"
        autoComplete="new-password"
        required
        hint={errors.password ? undefined : t('password.hint', { count: minLength })}
        error={errors.password && t(errors.password.type === 'too_big' ? 'password.long' : 'password.short', { count: minLength })}
        invalid={problem?.code === 'passwordWeak'}
      />
      {problem && <LoginErrorBox key={outcomes} problem={problem} title={t('error.signUpTitle')} />}
      <Button type="submit" variant="primary" size="xxl" wide busy={isSubmitting}>
        {isSubmitting ? t('signUp.busy') : t('common:createAccount')}
      </Button>
    </form>
  );
}
