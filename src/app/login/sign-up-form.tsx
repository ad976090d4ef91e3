import { useState } from 'react';
import { nameMaxLength, passwordRule, type Registration, registration } from '../../../contract/account.ts';
import type { LoginProblem } from '../../session/login-problem.ts';
import { useSession } from '../../session/session-provider.tsx';
import { PasswordField } from '../../ui/controls/fields/password-field.tsx';
import { TextField } from '../../ui/controls/fields/text-field.tsx';
import { Form } from '../../ui/form/form.tsx';
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
  const form = useZodForm(registration, { name: '', email, password: '' });
  const { errors, isSubmitting } = form.formState;

  const submit = async (values: Registration) => {
    const result = await signUp(values);
    setProblem(result.ok ? null : result.problem);
    setOutcomes((before) => before + 1);
    onDone(result);
  };

  return (
    <Form
      {...{ form, size: 'xxl', wide: true, className: styles.form }}
      onSubmit={submit}
      onWrong={() => setProblem(null)}
      submit={isSubmitting ? t('signUp.busy') : t('common:createAccount')}
    >
      <TextField
        {...form.register('name')}
        label={t('words:givenName')}
        size="xl"
        autoComplete="name"
        maxLength={nameMaxLength}
        placeholder={t('name.example')}
        required
        error={errors.name && t('name.required')}
      />
      <EmailField
        {...form.register('email', { onChange: (event) => onEmail(event.target.value) })}
        filled={form.watch('email') !== ''}
        wrong={errors.email !== undefined}
      />
      <PasswordField
        {...form.register('password')}
        label={t('password.label')}
        size="xl"
        autoComplete="new-password"
        required
        hint={errors.password ? undefined : t('password.hint', { count: minLength })}
        error={errors.password && t(errors.password.type === 'too_big' ? 'password.long' : 'password.short', { count: minLength })}
        invalid={problem?.code === 'passwordWeak'}
      />
      {problem && <LoginErrorBox key={outcomes} problem={problem} title={t('error.signUpTitle')} />}
    </Form>
  );
}
