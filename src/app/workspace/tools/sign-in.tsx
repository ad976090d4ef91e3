import { useState } from 'react';
import type { ToolServer, ToolSignIn } from '../../../../contract/tool-server.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { buttonClass } from '../../../ui/controls/buttons/button-class.ts';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { LogIn } from '../../../ui/icons/icons.ts';
import { useMutation } from '../../server-data/use-mutation.ts';
import styles from './tools.module.css';

/** Begins a sign-in to a tool server. The person sees which host asks for it before its page opens. */
export function SignIn({ server: { id, projectId, url, hasKey } }: { server: ToolServer }) {
  const { t } = useTranslation('tool-servers');
  const problemText = useProblemText();
  const { call, isBusy, problem } = useMutation();
  const [begun, setBegun] = useState<ToolSignIn | null>(null);
  const begin = async () => setBegun((await call('toolServer.signIn', { params: { id: projectId, serverId: id } }))?.value ?? null);
  return (
    <div className={styles.signIn} data-begun={begun !== null || undefined} data-testid="sign-in">
      {begun ? (
        <>
          <p>{t('signInText', { host: begun.host, server: new URL(url ?? begun.url).host })}</p>
          <a className={buttonClass({ variant: 'primary', size: 's' })} href={begun.url} target="_blank" rel="noreferrer">
            <LogIn size={14} aria-hidden />
            {t('openSignIn')}
          </a>
          <p className={styles.none}>{t('signInBack')}</p>
        </>
      ) : (
        <>
          <p>{t(hasKey ? 'signedIn' : 'notSignedIn')}</p>
          <Button
            size="s"
            variant={hasKey ? 'secondary' : 'primary'}
            icon={<LogIn size={14} aria-hidden />}
            busy={isBusy}
            onClick={() => void begin()}
          >
            {t(hasKey ? 'signInAgain' : 'common:signIn')}
          </Button>
        </>
      )}
      <p role="status" className={styles.danger}>
        {problem && problemText(problem)}
      </p>
    </div>
  );
}
