import { useState } from 'react';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { LogIn } from '../../../ui/icons/icons.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { hasEditsInMemoryOnly } from '../account/use-leave-project.ts';
import type { Account } from '../frame/workspace-context.ts';
import { Banner } from './banner.tsx';

/** Says that the server has refused the session. A check reloads the project or says that it failed. W2.02 W6.01 */
export function SignedOutBanner({ account }: { account: Account }) {
  const { t } = useTranslation('workspace');
  const dispatch = useDispatch();
  const unkept = useWorkspace((state) => hasEditsInMemoryOnly(state.save));
  const [state, setState] = useState<'idle' | 'checking' | 'failed'>('idle');

  const check = async () => {
    setState('checking');
    const known = await account.checkAuth();
    setState(known ? 'idle' : 'failed');
    if (known) await dispatch({ type: 'workspace.reload' });
  };

  return (
    <Banner tone="warning" icon={<LogIn size={17} aria-hidden />} role="alert">
      <p>
        <strong>{t('banner.notAuthenticated')}.</strong>{' '}
        {t(state === 'failed' ? 'banner.checkFailed' : unkept ? 'banner.signedOutUnkept' : 'banner.signedOut')}
      </p>
      <Button size="xs" busy={state === 'checking'} onClick={() => void check()}>
        {t('banner.checkAuth')}
      </Button>
      <Button size="xs" variant="primary" onClick={account.signIn}>
        {t('banner.signIn')}
      </Button>
    </Banner>
  );
}
