import { useState } from 'react';
import { z } from 'zod';
import { email } from '../../../../contract/email.ts';
import { Form } from '../../../ui/form/form.tsx';
import { FormText } from '../../../ui/form/form-fields.tsx';
import { useZodForm } from '../../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Info, SendHorizontal } from '../../../ui/icons/icons.ts';
import styles from './modal-form.module.css';

const invitation = z.object({ email });

/** Checks the address and says that invitations do not work yet; nothing is sent. R29 */
export function InviteForm() {
  const { t } = useTranslation('modals');
  const [unsent, setUnsent] = useState<string | null>(null);
  const form = useZodForm(invitation, { email: '' });
  return (
    <Form
      {...{ form, size: 'xl', wide: true, className: styles.form, icon: <SendHorizontal size={16} aria-hidden /> }}
      onSubmit={({ email: address }) => setUnsent(address)}
      submit={t('invite.send')}
    >
      <FormText
        {...{ form, name: 'email', type: 'email', size: 'xl', autoComplete: 'off' }}
        label={t('invite.email')}
        onEdit={() => setUnsent(null)}
        placeholder={t('invite.example')}
        required
        error={t(form.watch('email').trim() ? 'invite.invalid' : 'invite.required')}
      />
      <div role="status">
        {unsent !== null && (
          <p className={styles.note}>
            <Info size={16} aria-hidden />
            <span>{t('invite.unavailable', { email: unsent })}</span>
          </p>
        )}
      </div>
    </Form>
  );
}
