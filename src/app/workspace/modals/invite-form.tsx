import { useState } from 'react';
import { z } from 'zod';
import { email } from '../../../../contract/email.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { TextField } from '../../../ui/controls/fields/text-field.tsx';
import { useZodForm } from '../../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Info, SendHorizontal } from '../../../ui/icons/icons.ts';
import styles from './modal-form.module.css';

const invitation = z.object({ email });

/** Checks the address and says that invitations do not work yet; nothing is sent. R29 */
export function InviteForm() {
  const { t } = useTranslation('modals');
  const [unsent, setUnsent] = useState<string | null>(null);
  const { register, handleSubmit, watch, formState } = useZodForm(invitation, { email: '' });
  const { errors } = formState;
  return (
    <form className={styles.form} onSubmit={handleSubmit((values) => setUnsent(values.email))} noValidate>
      <TextField
        {...register('email', { onChange: () => setUnsent(null) })}
        label={t('invite.email')}
        type="email"
        size="xl"
        autoComplete="off"
        placeholder={t('invite.example')}
        required
        error={errors.email && t(watch('email').trim() ? 'invite.invalid' : 'invite.required')}
      />
      <div role="status">
        {unsent !== null && (
          <p className={styles.note}>
            <Info size={16} aria-hidden />
            <span>{t('invite.unavailable', { email: unsent })}</span>
          </p>
        )}
      </div>
      <Button type="submit" variant="primary" size="xl" wide icon={<SendHorizontal size={16} aria-hidden />}>
        {t('invite.send')}
      </Button>
    </form>
  );
}
