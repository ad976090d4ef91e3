import { useState } from 'react';
import { type AccountDeletion, accountDeletion } from '../../../../contract/account.ts';
import type { CallFailure } from '../../../session/auth-calls.ts';
import { useSession } from '../../../session/session-provider.tsx';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { PasswordField } from '../../../ui/controls/fields/password-field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { useZodForm } from '../../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Trash2 } from '../../../ui/icons/icons.ts';
import styles from './account.module.css';
import own from './account-data.module.css';
import { callProblem } from './call-problem.ts';
import { FormProblem } from './form-problem.tsx';

/** Says what a deletion does and what stays, and then asks for the password. The page of the locked account follows. G8.07 */
export function DeleteAccount() {
  const { t } = useTranslation('account-data');
  const [isAsking, setIsAsking] = useState(false);
  return (
    <section className={own.part}>
      <h3 className={own.title}>{t('delete.title')}</h3>
      <p className={styles.note}>{t('delete.text')}</p>
      <p className={styles.note}>{t('delete.goes')}</p>
      <p className={styles.note}>{t('delete.stays')}</p>
      {isAsking ? (
        <DeletionForm onCancel={() => setIsAsking(false)} />
      ) : (
        <div className={styles.act}>
          <Button variant="danger" icon={<Trash2 size={16} aria-hidden />} onClick={() => setIsAsking(true)}>
            {t('delete.title')}
          </Button>
        </div>
      )}
    </section>
  );
}

function DeletionForm({ onCancel }: { onCancel: () => void }) {
  const { t } = useTranslation('account-data');
  const { auth, deleteAccount } = useSession();
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const form = useZodForm(accountDeletion, { currentPassword: '' });
  const { errors, isSubmitting } = form.formState;
  const submit = async (values: AccountDeletion) => {
    setFailure(null);
    const answer = await deleteAccount(values);
    if (answer.ok) return;
    const problem = callProblem(answer.failure);
    if (problem.kind === 'field') form.setError('currentPassword', { type: 'server', message: problem.message });
    else setFailure(answer.failure);
  };
  const wrong = errors.currentPassword;
  return (
    <Form {...{ form, className: styles.form }} onSubmit={submit}>
      {/* Tells password managers whose password this is. */}
      <input type="email" autoComplete="username" value={auth.user?.email ?? ''} readOnly hidden />
      <PasswordField
        {...form.register('currentPassword')}
        label={t('words:currentPassword')}
        size="xl"
        autoComplete="current-password"
        required
        autoFocus
        error={wrong && (wrong.type === 'server' ? wrong.message : t('words:currentPasswordRequired'))}
      />
      <FormProblem failure={failure} />
      <div className={styles.act}>
        <Button type="submit" variant="danger" busy={isSubmitting}>
          {t('delete.confirm')}
        </Button>
        <Button onClick={onCancel}>{t('common:cancel')}</Button>
      </div>
    </Form>
  );
}
