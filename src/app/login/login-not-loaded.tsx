import { useEffect, useRef } from 'react';
import { useSession } from '../../session/session-provider.tsx';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import type { NotLoadedProps } from '../../ui/loading/lazy-part.tsx';
import { useNewVersion } from '../../ui/new-version.ts';
import { ConnectionCauses } from './connection-causes.tsx';
import styles from './login-not-loaded.module.css';

/** The connection error shown when the script of the sign-in window did not load. It needs nothing that is not loaded yet. P8.03 */
export function LoginNotLoaded({ retry, isRetrying }: Pick<NotLoadedProps, 'retry' | 'isRetrying'>) {
  const { t } = useTranslation('common');
  const { closeLogin } = useSession();
  const isNew = useNewVersion();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} className={styles.window} aria-labelledby="login-not-loaded" data-testid="login-not-loaded" onClose={closeLogin}>
      <div role="alert">
        <h2 id="login-not-loaded" className={styles.title}>
          {t(isNew ? 'part.newVersion' : 'connection.title')}
        </h2>
        {!isNew && <ConnectionCauses />}
      </div>
      <div className={styles.buttons}>
        {isNew ? (
          <Button variant="primary" onClick={() => location.reload()}>
            {t('part.reload')}
          </Button>
        ) : (
          <Button variant="primary" busy={isRetrying} onClick={() => void retry()}>
            {t('tryAgain')}
          </Button>
        )}
        <Button onClick={() => dialog.current?.close()}>{t('close')}</Button>
      </div>
    </dialog>
  );
}
