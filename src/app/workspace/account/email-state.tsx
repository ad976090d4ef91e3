import { useState } from 'react';
import type { Profile } from '../../../../contract/account.ts';
import type { CallFailure } from '../../../session/auth-calls.ts';
import { useSession } from '../../../session/session-provider.tsx';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { CircleCheck, Mail } from '../../../ui/icons/icons.ts';
import styles from './account.module.css';
import { FormProblem } from './form-problem.tsx';

/** Shows whether the account's address is verified, and a button that sends the link again. R12 */
export function EmailState({ profile: { email, emailVerified, isMailStored = false } }: { profile: Profile }) {
  const { t } = useTranslation('account');
  const { sendVerification } = useSession();
  const [state, setState] = useState<'idle' | 'sending' | 'sent'>('idle');
  const [failure, setFailure] = useState<CallFailure | null>(null);

  if (emailVerified) {
    return (
      <p className={styles.done}>
        <CircleCheck size={16} aria-hidden />
        {t('email.verified')}
      </p>
    );
  }
  const sent = isMailStored ? 'email.stored' : 'email.sent';
  const unsent = isMailStored ? 'email.noMail' : 'email.unverified';
  const send = async () => {
    setState('sending');
    setFailure(null);
    const answer = await sendVerification();
    setFailure(answer.ok ? null : answer.failure);
    setState(answer.ok ? 'sent' : 'idle');
  };
  return (
    <div className={styles.email}>
      <div className={styles.unverified}>
        <p className={styles.note} role="status">
          {t(state === 'sent' ? sent : unsent, { email })}
        </p>
        <Button icon={<Mail size={16} aria-hidden />} busy={state === 'sending'} onClick={() => void send()}>
          {t(isMailStored ? 'words:makeNewLink' : 'email.send')}
        </Button>
      </div>
      <FormProblem failure={failure} />
    </div>
  );
}
