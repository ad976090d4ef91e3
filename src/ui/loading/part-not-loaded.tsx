import { useLayoutEffect } from 'react';
import { Button } from '../controls/buttons/button.tsx';
import { useTranslation } from '../i18n/use-translation.ts';
import { useNewVersion } from '../new-version.ts';
import type { NotLoadedProps } from './lazy-part.tsx';
import styles from './part-not-loaded.module.css';

type Props = Pick<NotLoadedProps, 'retry' | 'isRetrying'> & {
  /** Called by the button that closes it; without it the note stays. */
  onClose?: () => void;
  /** Over the page, for a part without a place of its own. */
  floating?: boolean;
};

/** Shown instead of a part that failed to load, with a button that retries. */
export function PartNotLoaded({ retry, isRetrying, onClose, floating = false }: Props) {
  const { t } = useTranslation('common');
  const isNew = useNewVersion();
  // Before the page shows it: an event in between would be missed.
  useLayoutEffect(() => {
    const again = () => void retry();
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [retry]);
  return (
    <div className={styles.part} data-floating={floating || undefined} role="alert" data-testid="part-not-loaded">
      <p className={styles.text}>{t(isNew ? 'part.newVersion' : 'part.notLoaded')}</p>
      <div className={styles.buttons}>
        {isNew ? (
          <Button size="s" variant="primary" onClick={() => location.reload()}>
            {t('part.reload')}
          </Button>
        ) : (
          <Button size="s" busy={isRetrying} onClick={() => void retry()}>
            {t('tryAgain')}
          </Button>
        )}
        {onClose && (
          <Button size="s" variant="ghost" onClick={onClose}>
            {t('close')}
          </Button>
        )}
      </div>
    </div>
  );
}
