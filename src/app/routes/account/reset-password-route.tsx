import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useSession } from '../../../session/session-provider.tsx';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Lock, LogIn, RotateCcw } from '../../../ui/icons/icons.ts';
import { usePageTitle } from '../../../ui/use-page-title.ts';
import { NewPasswordForm } from '../../login/new-password-form.tsx';
import { NoticePage } from '../notices/notice-page.tsx';
import { AccountNotice } from './account-notice.tsx';

/** The target of the link in a password email: sets a new password, once. R12 */
export function ResetPasswordRoute() {
  const { t } = useTranslation('auth');
  const { openLogin } = useSession();
  const [search] = useSearchParams();
  const token = search.get('token') ?? '';
  const [state, setState] = useState<'asked' | 'done' | 'spent'>(token === '' ? 'spent' : 'asked');
  usePageTitle(t(state === 'asked' ? 'reset.kicker' : `reset.${state}Title`));

  const frame = { icon: <Lock size={18} aria-hidden />, kicker: t('reset.kicker') };
  if (state === 'asked') {
    return (
      <NoticePage {...frame} link="whole" title={t('reset.title')} text={t('reset.text')}>
        <NewPasswordForm token={token} onDone={setState} />
      </NoticePage>
    );
  }
  return (
    <AccountNotice
      {...frame}
      outcome={state}
      link={state === 'done' ? 'whole' : 'cut'}
      title={t(`reset.${state}Title`)}
      text={t(`reset.${state}Text`)}
    >
      {state === 'done' ? (
        <Button variant="primary" size="xl" icon={<LogIn size={17} aria-hidden />} onClick={() => openLogin()}>
          {t('common:signIn')}
        </Button>
      ) : (
        <Button variant="primary" size="xl" icon={<RotateCcw size={17} aria-hidden />} onClick={() => openLogin('forgot')}>
          {t('reset.request')}
        </Button>
      )}
    </AccountNotice>
  );
}
