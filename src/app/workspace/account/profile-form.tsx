import { useState } from 'react';
import { z } from 'zod';
import { credentials, nameMaxLength, type Profile, registration } from '../../../../contract/account.ts';
import type { CallFailure } from '../../../session/auth-calls.ts';
import { useSession } from '../../../session/session-provider.tsx';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { PasswordField } from '../../../ui/controls/fields/password-field.tsx';
import { TextField } from '../../../ui/controls/fields/text-field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { useZodForm } from '../../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { CircleCheck } from '../../../ui/icons/icons.ts';
import styles from './account.module.css';
import { callProblem } from './call-problem.ts';
import { FormProblem } from './form-problem.tsx';

const { name, email } = registration.shape;
const change = z.object({ name, email, currentPassword: credentials.shape.password.or(z.literal('')) });

/** Name and email; another email needs the current password. */
export function ProfileForm({ profile, onSaved }: { profile: Profile; onSaved: (profile: Profile) => void }) {
  const { t } = useTranslation('account');
  const { t: word } = useTranslation('auth');
  const { updateProfile } = useSession();
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const [isSaved, setSaved] = useState(false);
  const form = useZodForm(change, {
    name: profile.name,
    email: profile.email,
    currentPassword: '',
  });
  const { errors, isSubmitting } = form.formState;
  const entered = form.watch();
  const newEmail = (email.safeParse(entered.email).data ?? entered.email) !== profile.email;
  const changed = newEmail || entered.name.trim() !== profile.name;

  const submit = async (values: z.output<typeof change>) => {
    setFailure(null);
    if (newEmail && values.currentPassword === '') {
      form.setError('currentPassword', { type: 'custom', message: t('profile.currentPasswordRequired') });
      return;
    }
    const answer = await updateProfile({
      name: values.name,
      ...(newEmail && { email: values.email, currentPassword: values.currentPassword }),
    });
    if (answer.ok) {
      form.reset({ name: answer.value.name, email: answer.value.email, currentPassword: '' });
      setSaved(true);
      onSaved(answer.value);
      return;
    }
    const problem = callProblem(answer.failure);
    if (problem.kind === 'field' && problem.path in values) {
      form.setError(problem.path as keyof typeof values, { type: 'server', message: problem.message });
    } else setFailure(answer.failure);
  };

  const emailError = errors.email && (errors.email.type === 'server' ? errors.email.message : undefined);
  return (
    <Form {...{ form, className: styles.form }} onSubmit={submit} onChange={() => setSaved(false)}>
      <TextField
        {...form.register('name')}
        label={word('words:givenName')}
        size="xl"
        autoComplete="name"
        maxLength={nameMaxLength}
        required
        error={errors.name && word('name.required')}
      />
      <TextField
        {...form.register('email')}
        label={word('email.label')}
        type="email"
        size="xl"
        autoComplete="email"
        required
        error={errors.email && (emailError ?? word(entered.email ? 'email.invalid' : 'email.required'))}
      />
      {newEmail && (
        <PasswordField
          {...form.register('currentPassword')}
          label={t('words:currentPassword')}
          size="xl"
          autoComplete="current-password"
          hint={errors.currentPassword ? undefined : t('profile.currentPasswordHint')}
          error={errors.currentPassword && (errors.currentPassword.message ?? t('profile.currentPasswordRequired'))}
        />
      )}
      <FormProblem failure={failure} />
      <div className={styles.act}>
        <Button type="submit" variant="primary" size="xl" busy={isSubmitting} disabled={!changed}>
          {t('profile.save')}
        </Button>
        <p className={styles.done} role="status">
          {isSaved && !changed && (
            <>
              <CircleCheck size={16} aria-hidden />
              {t('profile.saved')}
            </>
          )}
        </p>
      </div>
    </Form>
  );
}
